/** Up to four digits and signs at either end, which attackers add to known passwords as well. */
const DECORATED = /^[\d\p{P}\p{S}]{0,4}(.*?)[\d\p{P}\p{S}]{0,4}$/u

/**
 * Loads the passwords that attackers try first and returns a function that tells whether a
 * password is one of them, bare or with a few digits and signs around it. `Password1!`
 * meets every composition rule and is still among the first guesses (NIST 800-63B,
 * 5.1.1.2). The list has about 49,000 words and takes 14 MB, so it is loaded only where
 * the configuration asks for it.
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
