import { UnreadableRow } from './unreadable_row.ts'

/*
 | Password hashes as other systems export them, in the formats that `findHashFormat` reads.
 */

/** A row of an import, in the shape in which its system exports it. */
export type ForeignRow = Record<string, any>

/** PBKDF2, or argon2 since Keycloak 25; another algorithm keeps its name, to be refused. */
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

/** The parameters of the project are in each row, put there by `--firebase`. */
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

/** Django puts the name of its algorithm before hashes that are standard otherwise. */
export function djangoHash(password?: string) {
  if (password?.startsWith('argon2$')) return password.slice('argon2'.length)
  return password?.replace(/^bcrypt\$\$/, '$')
}
