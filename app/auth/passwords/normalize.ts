/**
 * A password in Unicode NFC. Keyboards and systems compose letters differently: “é” is one
 * code point on one device and two on another, and both have to be the same password
 * (NIST 800-63B, 5.1.1.2).
 */
export function normalizePassword(password: string) {
  return password.normalize('NFC')
}
