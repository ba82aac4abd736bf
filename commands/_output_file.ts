import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError, unwritableFile } from './_exit_codes.ts'

/** Call it before the work: the file is written beside its name, and renamed at the end. */
export async function assertTakesFile(file: string) {
  try {
    await assertReplaceable(file)
    await access(dirname(file), constants.W_OK | constants.X_OK)
  } catch (error) {
    throw error.code ? unwritable(file, error) : error
  }
}

/** A rename would replace a device or a pipe, and its reader would get nothing. */
async function assertReplaceable(file: string) {
  const found = await stat(file).catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (!found || found.isFile()) return
  if (found.isDirectory()) throw new UsageError(`--output: ${file} is a folder`)
  throw new UsageError(`--output: ${file} is no regular file: write to it by --output=- > ${file}`)
}

/** Reports a failed rename: the folder took the file, but not its name. */
export function unwritableOutput(error: NodeJS.ErrnoException & { dest?: string }): never {
  throw error.dest ? unwritable(error.dest, error) : error
}

function unwritable(file: string, error: NodeJS.ErrnoException) {
  return new UsageError(`--output: ${file} ${unwritableFile(error)}`)
}
