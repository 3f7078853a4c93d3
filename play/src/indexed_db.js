// A second copy of what lies in the browser's storage, where a browser that is killed does not lose it: Chromium writes
// localStorage to disk after 5 s, and then once a minute at most; a transaction of IndexedDB that is complete is written.

/** @import { Database, TextStorage } from './types.js' */

const NAME = 'plymap';
const STORE = 'texts';
/** Milliseconds that a page waits for the copy: browsers have been seen that never open a database. */
const PATIENCE = 1000;

/**
 * A storage that writes each text into a database as well, after it has got back what it has lost.
 *
 * @param {TextStorage | null} storage
 * @param {Database | null} database
 * @param {string} prefix of the keys that are looked for
 * @param {(key: string, copy: string, own: string) => boolean} isNewer whether the copy of a text is to replace it
 * @returns {Promise<TextStorage | null>}
 */
export async function mirrored(storage, database, prefix, isNewer) {
  if (!storage || !database) return storage;
  /** What the storage has no room for. @type {Map<string, string>} */
  const copies = new Map();
  /** @type {Promise<unknown>} */
  let written = Promise.resolve();
  try {
    const inDatabase = new Map(await database.read(prefix));
    for (const [key, copy] of inDatabase) {
      const own = storage.getItem(key);
      if (own === null || isNewer(key, copy, own)) copies.set(key, copy);
    }
    // A page that was killed may have left a text in the storage alone.
    for (const [key, own] of entries(storage, prefix)) {
      if (!copies.has(key) && inDatabase.get(key) !== own) written = database.write(key, own);
    }
  } catch {
    // Without a copy there is the storage.
    return storage;
  }
  const mirror = {
    getItem: (/** @type {string} */ key) => copies.get(key) ?? storage.getItem(key),
    setItem: (/** @type {string} */ key, /** @type {string} */ text) => {
      // The copy has its own room, and is there even where the storage is full.
      written = database.write(key, text);
      storage.setItem(key, text);
      copies.delete(key);
    },
    removeItem: (/** @type {string} */ key) => {
      written = database.write(key, null);
      copies.delete(key);
      storage.removeItem(key);
    },
    settled: () => withTimeout(written).catch(() => {}),
  };
  for (const [key, copy] of [...copies]) {
    try {
      mirror.setItem(key, copy);
    } catch {
      // It stays where it is.
    }
  }
  return mirror;
}

/**
 * @param {TextStorage} storage
 * @param {string} prefix
 * @returns {[string, string][]}
 */
function entries(storage, prefix) {
  const keys = Array.from({ length: storage.length ?? 0 }, (_, index) => storage.key?.(index) ?? '');
  return keys.filter((key) => key.startsWith(prefix)).map((key) => [key, storage.getItem(key) ?? '']);
}

/** The database of the browser, where it has one. @returns {Database | null} */
export function browserDatabase() {
  /** @type {Promise<IDBDatabase> | undefined} */
  let opened;
  const open = () => (opened ??= openDatabase());
  try {
    if (!globalThis.indexedDB) return null;
  } catch {
    return null;
  }
  return {
    read: (prefix) => withTimeout(open().then((database) => entriesOf(database, prefix))),
    write: (key, text) => open().then((database) => writtenTo(database, key, text)).catch(() => {}),
  };
}

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return resultOf(request);
}

/**
 * @param {IDBDatabase} database
 * @param {string} prefix
 * @returns {Promise<[string, string][]>}
 */
async function entriesOf(database, prefix) {
  const store = database.transaction(STORE).objectStore(STORE);
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const [keys, texts] = await Promise.all([resultOf(store.getAllKeys(range)), resultOf(store.getAll(range))]);
  return keys.map((key, index) => [String(key), String(texts[index])]);
}

/**
 * @param {IDBDatabase} database
 * @param {string} key
 * @param {string | null} text
 * @returns {Promise<unknown>} resolves when it is written
 */
function writtenTo(database, key, text) {
  const transaction = database.transaction(STORE, 'readwrite');
  const store = transaction.objectStore(STORE);
  if (text === null) store.delete(key);
  else store.put(text, key);
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const resultOf = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
const withTimeout = (promise) => Promise.race([promise, new Promise((_, reject) => { setTimeout(() => reject(new Error('the database does not open')), PATIENCE); })]);
