import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { toYaml } from '#configuration/export/write_yaml'
import type { ExportedEntry } from '#configuration/export/export'
import type { Imported, ImportedClient } from './imported.ts'

export interface WrittenFiles {
  secrets: number
  notTaken: number
}

/**
 * Writes each secret to its own file, in a folder beside the output. No file is overwritten.
 * @throws errors of the file system, after which no written file is left
 */
export async function writeImported(imported: Imported, output: string): Promise<WrittenFiles> {
  const folder = `${basename(output, extname(output))}-secrets`
  const clients = withSecretFiles(imported.clients, folder)
  const text = await toYaml({
    groups: imported.groups,
    serviceAccounts: imported.serviceAccounts,
    clients: clients.map(({ entry }) => entry),
  })
  const written: string[] = []
  try {
    await create(output, HEAD + text, written)
    await writeSecrets(clients, dirname(output), written)
  } catch (error) {
    for (const file of written) await rm(file, { force: true })
    throw error
  }
  const notes = imported.clients.flatMap((client) => client.notes)
  const leftOut = imported.groups.filter(({ isLeftOut }) => isLeftOut)
  const secrets = clients.filter(({ secret }) => secret !== null).length
  return { secrets, notTaken: notes.length + leftOut.length }
}

const HEAD = `# Read this file, then apply it: config:apply FILE --check. Lines with a # could not be taken.\n`

interface ClientFile {
  entry: ExportedEntry
  path: string
  secret: string | null
}

function withSecretFiles(clients: ImportedClient[], folder: string): ClientFile[] {
  const names = new Set<string>()
  return clients.map(({ fields, notes, secret, isLeftOut }) => {
    const path = join(folder, fileName(String(fields.clientId), names))
    const from = secret === null ? {} : { secretFrom: `file:./${path}` }
    const comment = notes.map((note) => `not taken: ${oneLine(note)}`).join('\n')
    const entry = { fields: { ...fields, ...from }, isLeftOut, ...(comment && { comment }) }
    return { entry, path, secret }
  })
}

function oneLine(text: string) {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
}

function fileName(clientId: string, names: Set<string>) {
  const plain = clientId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 80)
  let name = plain
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${plain}_${number}`
  names.add(name.toLowerCase())
  return name
}

async function writeSecrets(clients: ClientFile[], folder: string, written: string[]) {
  const secret = clients.filter((client) => client.secret !== null)
  if (secret.length > 0)
    await mkdir(join(folder, dirname(secret[0].path)), { recursive: true, mode: 0o700 })
  for (const { path, secret: value } of secret)
    await create(join(folder, path), `${value}\n`, written)
}

/** The mode holds from the first byte on. */
async function create(path: string, text: string, written: string[]) {
  const file = await open(path, 'wx', 0o600)
  written.push(path)
  try {
    await writeFile(file, text)
  } finally {
    await file.close()
  }
}
