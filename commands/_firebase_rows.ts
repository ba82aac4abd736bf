import { readFile } from 'node:fs/promises'
import { unreadableFile, UsageError } from './_exit_codes.ts'
import type { ReadRow } from '#users/transfer/read_rows'

/** The hash parameters of a Firebase project are in its console, not in its export. */
export async function* withFirebase(
  rows: AsyncGenerator<ReadRow>,
  file: string
): AsyncGenerator<ReadRow> {
  const { UnreadableRow } = await import('#users/transfer/unreadable_row')
  const parameters = await readParameters(file)
  for await (const { line, row } of rows) {
    yield { line, row: row instanceof UnreadableRow ? row : { ...row, ...parameters } }
  }
}

async function readParameters(file: string) {
  const key = await readKey(file)
  return {
    signerKey: key.base64_signer_key,
    saltSeparator: key.base64_salt_separator,
    rounds: key.rounds,
    memoryCost: key.mem_cost,
  }
}

async function readKey(file: string) {
  try {
    return Object(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`--firebase: ${file} ${error.code ? unreadableFile(error) : 'is no JSON'}`)
  }
}
