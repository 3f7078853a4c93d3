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
  const sum = crc32(new TextEncoder().encode(content)).toString(16).padStart(8, '0');
  return `${content},"crc32":"${sum}"}\n`;
}
