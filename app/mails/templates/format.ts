/**
 * Letters and digits of any script, with the marks that names contain; a dot only before a blank.
 */
const PLAIN_TEXT = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} '’_-]|\.(?= |$)){0,39}$/u

/**
 * Returns null for unsafe names: an attacker could register another user's address as “Win at
 * evil.example!”, and the mail would carry that message under our name.
 */
export function plainText(name: string | undefined) {
  return name && PLAIN_TEXT.test(name) ? name : null
}

/** An address may be a sentence with a link, which a mail to another mailbox must not carry. */
export function maskEmail(email: string) {
  const [local, domain] = email.split('@')
  return `${local[0]}•••@${domain[0]}•••`
}

const LINE = 72

/** Wraps lines by RFC 5322, section 2.1.1; an address stays whole. */
export function wrap(text: string) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    const isFull = line !== '' && line.length + 1 + word.length > LINE
    if (isFull) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
