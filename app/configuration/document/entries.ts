import { isWebhookSecret } from '#webhooks/signature'
import { distance } from '#setup/environment/misspelt_settings'
import { LIST_NAMES, LISTS, type ListName, type Values } from './lists.ts'
import { readSecret, UnusableSecret } from './secret_source.ts'
import { isSecretDigest } from '#oidc/clients/secret_digests'
import { isStrongSecret } from '#oidc/clients/secrets'
import type { FileError, Position } from './file_error.ts'

export interface SourceFile {
  /** The path as it was given. */
  path: string
  /** The last part of the path, by which records and people know the file. */
  name: string
  source: string | null
  positionOf: (field: string) => Position
}

export interface Entry<Name extends ListName = ListName> {
  list: Name
  file: SourceFile
  /** Such as `clients.0`. */
  field: string
  value: Values[Name]
  /** The fields that the entry names, called as in the API. */
  named: string[]
}

export function errorAt(
  { file, field }: Pick<Entry, 'file' | 'field'>,
  within: string,
  message: string
): FileError {
  const path = within ? `${field}.${within}` : field
  return { file: file.path, ...file.positionOf(path), field: path, message }
}

type Place = Pick<Entry, 'list' | 'file' | 'field'>

/** Returns the entries without an error, and the errors of the others. */
export async function readEntries(file: SourceFile, content: Record<string, unknown>) {
  const [entries, errors]: [Entry[], FileError[]] = [[], []]
  for (const list of LIST_NAMES)
    entries.push(...(await readList({ list, file, field: list }, content[list], errors)))
  return { entries, errors }
}

async function readList(place: Place, items: unknown, errors: FileError[]) {
  const entries: Entry[] = []
  if (items === undefined || items === null) return entries
  if (!Array.isArray(items)) {
    errors.push(errorAt(place, '', `${place.list} must be a list`))
    return entries
  }
  for (const [at, item] of items.entries()) {
    const entry = await readEntry({ ...place, field: `${place.list}.${at}` }, item, errors)
    if (entry) entries.push(entry)
  }
  return entries
}

async function readEntry(place: Place, item: unknown, errors: FileError[]): Promise<Entry | null> {
  const { noun, fields, secret } = LISTS[place.list]
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    errors.push(errorAt(place, '', `A ${noun} must have fields such as ${fields[0]}: …`))
    return null
  }
  const before = errors.length
  const given = item as Record<string, unknown>
  assertKnown(place, given, errors)
  const value = await validated(place, given, errors)
  const read = await secretOf(place, given, errors)
  if (errors.length > before || !value) return null
  const named = fields.filter((name) => name in given).map(nameInApi)
  if (read === null) return { ...place, value, named }
  return { ...place, value: { ...value, secret: read }, named: [...named, secret!] } as Entry
}

function nameInApi(name: string) {
  return name === 'serviceAccount' ? 'serviceAccountId' : name
}

function assertKnown(place: Place, given: Record<string, unknown>, errors: FileError[]) {
  const { fields, secret } = LISTS[place.list]
  const known = secret ? [...fields, 'secretFrom'] : fields
  for (const name of Object.keys(given))
    if (!known.includes(name) && name !== secret)
      errors.push(errorAt(place, name, unknownField(name, known)))
}

export function unknownField(name: string, known: string[]) {
  const meant = known.find((each) => distance(name.toLowerCase(), each.toLowerCase()) <= 2)
  const remedy = meant ? `did you mean ${meant}?` : `Known are ${known.join(', ')}`
  return `This field is not known${meant ? ':' : '.'} ${remedy}`
}

async function validated(place: Place, given: object, errors: FileError[]) {
  try {
    return await LISTS[place.list].validate(given)
  } catch (error: any) {
    if (error.code !== 'E_VALIDATION_ERROR') throw error
    for (const each of error.messages) errors.push(errorAt(place, each.field, each.message))
    return null
  }
}

const NO_SECRET_HERE =
  'A file has no secret. Write secretFrom: env:NAME, or secretFrom: file:/run/secrets/name'

/** Returns null if the entry gives no secret. Messages never show what was read. */
async function secretOf(place: Place, given: Record<string, unknown>, errors: FileError[]) {
  const { secret } = LISTS[place.list]
  if (!secret) return null
  const inline: { secretFrom?: unknown } | undefined = Object(given[secret])
  const from = 'secretFrom' in given ? given.secretFrom : inline?.secretFrom
  if (from === undefined) {
    if (given[secret] !== undefined) errors.push(errorAt(place, secret, NO_SECRET_HERE))
    return null
  }
  try {
    const read = await readSecret(from, place.file.path)
    const error = SECRET_ERRORS[secret](read)
    if (!error) return read
    errors.push(errorAt(place, 'secretFrom', error))
  } catch (error) {
    if (!(error instanceof UnusableSecret)) throw error
    errors.push(errorAt(place, 'secretFrom', `secretFrom ${error.message}`))
  }
  return null
}

const WEAK =
  'The secret must have 32 to 256 printable ASCII characters, 8 of them different, hard to guess'

const NO_WEBHOOK_SECRET = 'The secret must be whsec_ and the base64 of 24 to 64 bytes'

const SECRET_ERRORS: Record<string, (secret: string) => string | null> = {
  clientSecret: (secret) => (isStrongSecret(secret) || isSecretDigest(secret) ? null : WEAK),
  secret: (secret) => (isWebhookSecret(secret) ? null : NO_WEBHOOK_SECRET),
}
