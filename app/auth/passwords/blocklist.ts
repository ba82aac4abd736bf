/** So many digits and signs at either end do not make another password of a known one. */
const DECORATED = /^[\d\p{P}\p{S}]{0,4}(.*?)[\d\p{P}\p{S}]{0,4}$/u

/**
 * Reads the passwords that attackers try first, and answers whether one is among them, as
 * it is or with a few signs around it: `Password1!` meets every composition rule and is
 * the first guess all the same (NIST 800-63B 5.1.1.2). About 49,000 words and 14 MB, so
 * only a product that wants the list reads it.
 */
export async function readBlocklist() {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = new Set<string>(dictionary['passwords-common'] as string[])
  return (password: string) => {
    const guess = password.toLowerCase()
    const bare = DECORATED.exec(guess)?.[1] ?? guess
    return known.has(guess) || known.has(bare)
  }
}
