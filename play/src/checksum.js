// CRC-32 (ISO-HDLC, as gzip has it): what is read is known by it to be what was written.

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  return sum;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let sum = -1;
  for (const byte of bytes) sum = (sum >>> 8) ^ /** @type {number} */ (TABLE[(sum ^ byte) & 0xff]);
  return ~sum >>> 0;
}

/**
 * An object of JSON as a line of a log: its last field is the checksum of the text before the comma that precedes it.
 *
 * @param {string} object that has a field at least
 */
export function signed(object) {
  const content = object.slice(0, -1);
  return `${content}${BEFORE}${sumOf(content)}${BEHIND}\n`;
}

/**
 * Such a line, when its checksum is that of its text.
 *
 * @param {string} line
 * @throws {Error} where it is another one, or there is none
 */
export function checked(line) {
  const text = line.trimEnd();
  const content = text.slice(0, -LENGTH);
  if (text.slice(-LENGTH) !== `${BEFORE}${sumOf(content)}${BEHIND}`) throw new Error('its checksum (crc32) is not that of what it holds');
  return line;
}

const BEFORE = ',"crc32":"';
const BEHIND = '"}';
const LENGTH = BEFORE.length + 8 + BEHIND.length;

/** @param {string} content */
const sumOf = (content) => crc32(new TextEncoder().encode(content)).toString(16).padStart(8, '0');
