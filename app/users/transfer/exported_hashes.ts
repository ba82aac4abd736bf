import { UnreadableRow } from './unreadable_row.ts'

export type ForeignRow = Record<string, any>

/** PBKDF2, or argon2 since Keycloak 25; another algorithm keeps its name and is refused. */
export function keycloakHash(credential: ForeignRow) {
  const secret = JSON.parse(credential.secretData)
  const { algorithm, hashIterations, additionalParameters } = JSON.parse(credential.credentialData)
  if (algorithm === 'argon2') {
    const { type, memory, parallelism } = additionalParameters
    const parameters = `m=${memory[0]},t=${hashIterations},p=${parallelism[0]}`
    const [salt, hash] = [secret.salt, secret.value].map((each) => each.replace(/=+$/, ''))
    return `$argon2${type[0]}$v=19$${parameters}$${salt}$${hash}`
  }
  const digest = /^pbkdf2(?:-(sha256|sha512))?$/.exec(algorithm)
  if (!digest) return `$${algorithm}$`
  const suffix = digest[1] ? `-${digest[1]}` : ''
  return `$pbkdf2${suffix}$${hashIterations}$${secret.salt}$${secret.value}`
}

/** `--firebase` puts the parameters of the project into each row. */
export function firebaseHash(row: ForeignRow) {
  if (!row.signerKey)
    throw new UnreadableRow('needs the parameters of its hash: --firebase', 'passwordHash')
  const standard = (base64: string) => base64.replaceAll('-', '+').replaceAll('_', '/')
  const parts = [
    row.signerKey,
    row.saltSeparator,
    row.rounds,
    row.memoryCost,
    row.salt,
    row.passwordHash,
  ]
  return `$firebase-scrypt$${parts.map((part) => standard(String(part ?? ''))).join('$')}`
}

/** Django prefixes standard hashes with the name of its algorithm. */
export function djangoHash(password?: string) {
  if (password?.startsWith('argon2$')) return password.slice('argon2'.length)
  return password?.replace(/^bcrypt\$\$/, '$')
}
