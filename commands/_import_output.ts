import { createWriteStream, openSync, ReadStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { unwritableFile, UsageError } from './_exit_codes.ts'
import type { ImportSummary, RefusedRow } from '#users/transfer/import'

/** @param size of the file in bytes; a pipe has none, so its bar shows no percentage */
export async function startProgressBar(source: Readable, size = 0) {
  const { SingleBar, Presets } = await import('cli-progress')
  const share = size > 0 ? '{bar} {percentage} % · ' : ''
  const format = `${share}{read} rows · {imported} new · {skipped} there · {refused} refused`
  const settings = { format, stream: process.stderr, barsize: 20 }
  const bar = new SingleBar(settings, Presets.shades_classic)
  bar.start(size, 0, { read: 0, imported: 0, skipped: 0, refused: 0 })
  const update = (summary: ImportSummary) => {
    bar.update(source instanceof ReadStream ? source.bytesRead : 0, { ...summary })
  }
  return { update, stop: () => bar.stop() }
}

export const NO_PROGRESS_BAR = { update: (_: ImportSummary) => {}, stop: () => {} }

/** Opens the file before the import begins, so that a wrong name changes nothing. */
function openFile(path: string) {
  try {
    return openSync(path, 'w', 0o600)
  } catch (error) {
    throw new UsageError(`--report: ${path} ${unwritableFile(error)}`)
  }
}

/** Writes each row that was not imported, or not as it is, to a file that only its owner may read. */
export function openReport(path: string, source: string) {
  const file = createWriteStream(path, { fd: openFile(path) })
  const written = finished(file)
  written.catch(() => {})
  const write = (row: object) => file.write(`${JSON.stringify({ file: source, ...row })}\n`)
  return {
    onRefused: (row: RefusedRow) => write(row),
    onSkipped: (row: RefusedRow) => write({ ...row, skipped: true }),
    onRenamed: (row: RefusedRow) => write({ ...row, renamed: true }),
    onGroup: (row: RefusedRow) => write({ ...row, group: true }),
    end: async () => {
      file.end()
      await written
    },
  }
}

/** The limit of refused rows, and of renamed rows, on a terminal; the summary counts the rest. */
const MAX_LINES = 20

/** Prints the first rows of each kind; a skipped row is written only to a file. */
export function printRows(print: (row: RefusedRow) => void) {
  const printer = () => {
    let printed = 0
    return (row: RefusedRow) => {
      if (printed++ < MAX_LINES) print(row)
    }
  }
  return {
    onRefused: printer(),
    onRenamed: printer(),
    onGroup: printer(),
    onSkipped: () => {},
    end: () => Promise.resolve(),
  }
}
