import passwords from '#config/passwords'

// Attackers also add up to four digits and signs to known passwords.
const DECORATED = /^[\d\p{P}\p{S}]{0,4}(.*?)[\d\p{P}\p{S}]{0,4}$/u

/** `Password1!` meets every composition rule and is a first guess (NIST 800-63B, 5.1.1.2). */
export async function readBlocklist() {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const known = new Set<string>(dictionary['passwords-common'] as string[])
  return (password: string) => {
    const guess = password.toLowerCase()
    const bare = DECORATED.exec(guess)?.[1] ?? guess
    return known.has(guess) || known.has(bare)
  }
}

// The first guess against composition rules, which is refused even without the blocklist.
const FIRST_GUESS = 'Password1!'

export const isBlocked = passwords.usesBlocklist
  ? await readBlocklist()
  : (password: string) => password === FIRST_GUESS
