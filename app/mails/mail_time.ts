/**
 * When a mail was queued, in milliseconds since the epoch. Its id is a UUID v7, which starts
 * with that time in 48 bits (RFC 9562, section 5.7) and outlives the row of the mail.
 */
export function timeOfMail(mailId: string) {
  return Number.parseInt(mailId.replace('-', '').slice(0, 12), 16)
}
