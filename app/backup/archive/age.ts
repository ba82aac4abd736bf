import { UnusableBackup } from '#backup/errors'

/* The format of age (age-encryption.org/v1), which the `age` program also opens. */

export interface Encryption {
  recipients?: string[]
  passphrase?: string
}

export interface Decryption {
  identities?: string[]
  passphrase?: string
}

export type Chunks = AsyncIterable<Uint8Array>

/** @throws for a recipient that age does not know */
async function encrypterFor({ recipients = [], passphrase }: Encryption) {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  if (passphrase) encrypter.setPassphrase(passphrase)
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  return encrypter
}

export async function isRecipient(text: string) {
  return encrypterFor({ recipients: [text] }).then(
    () => true,
    () => false
  )
}

export async function isIdentity(text: string) {
  const { Decrypter } = await import('age-encryption')
  try {
    new Decrypter().addIdentity(text)
    return true
  } catch {
    return false
  }
}

export async function* encrypt(source: Chunks, encryption: Encryption): Chunks {
  const encrypter = await encrypterFor(encryption)
  yield* await encrypter.encrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>)
}

const CHANGED = 'The backup was changed or cut off: it does not decrypt to its end.'

/** @throws UnusableBackup */
export async function* decrypt(source: Chunks, opening: Decryption): Chunks {
  const opened = await open(source, opening)
  try {
    yield* opened
  } catch (error) {
    throw error.code ? error : new UnusableBackup(CHANGED)
  }
}

async function open(source: Chunks, { identities = [], passphrase }: Decryption) {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  if (passphrase) decrypter.addPassphrase(passphrase)
  const key = passphrase ? 'passphrase' : 'identity'
  try {
    return await decrypter.decrypt(ReadableStream.from(source) as ReadableStream<Uint8Array>)
  } catch (error) {
    if (error.code) throw error
    throw new UnusableBackup(`This ${key} does not open the backup.`)
  }
}
