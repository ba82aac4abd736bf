/** Letters and digits of any script, with the marks that names contain; a dot only before a blank. */
const PLAIN_TEXT = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N} '’_-]|\.(?= |$)){0,39}$/u

/**
 * The name of a user or device when it is safe in a mail, otherwise null. An attacker can
 * register another person's address under a name such as “Win at evil.example!”, or send
 * it as device name; a mail that repeated it would carry their message under our name.
 */
export function plainText(name: string | undefined) {
  return name && PLAIN_TEXT.test(name) ? name : null
}

/**
 * An address without its text, such as “e•••@a•••”. The user chose it, so it may be a
 * sentence with a link, which a mail to another mailbox must not carry under our name.
 */
export function maskEmail(email: string) {
  const [local, domain] = email.split('@')
  return `${local[0]}•••@${domain[0]}•••`
}

const LINE = 72

/** Breaks a paragraph into lines of a plain text message (RFC 5322, section 2.1.1); an address stays whole. */
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
