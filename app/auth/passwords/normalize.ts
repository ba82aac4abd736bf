/** NFC: devices encode “é” as one code point or two, for one password (NIST 800-63B, 5.1.1.2). */
export function normalizePassword(password: string) {
  return password.normalize('NFC')
}
