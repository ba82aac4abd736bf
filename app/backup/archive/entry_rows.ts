import limits from '#config/limits'
import { UnusableBackup } from '#backup/errors'
import { tableOf, type ManifestEntry } from './manifest.ts'
import type { Chunks } from './age.ts'
import type { ReadEntry } from './read_archive.ts'

export type Row = Record<string, unknown>

/** The most rows, or bytes of rows, that are in memory at the same time. */
const [BATCH_ROWS, BATCH_BYTES] = [500, 262_144]

const TOO_LONG = 'The backup has a row that is too long.'

/** Returns the rows in batches. @throws UnusableBackup if they are not what the manifest says */
export async function* rowsOf(entry: ReadEntry): AsyncGenerator<Row[]> {
  let [rows, bytes, total]: [Row[], number, number] = [[], 0, 0]
  for await (const line of linesOf(entry.content)) {
    rows.push(parse(line, entry))
    bytes += line.length
    if (rows.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    total += rows.length
    yield rows
    ;[rows, bytes] = [[], 0]
  }
  total += rows.length
  if (total !== entry.rows) throw wrong(entry)
  if (rows.length > 0) yield rows
}

async function* linesOf(content: Chunks): AsyncGenerator<string> {
  let rest: Buffer[] = []
  let bytes = 0
  for await (const part of content) {
    const chunk = Buffer.from(part.buffer, part.byteOffset, part.length)
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = chunk.subarray(start, end)
      yield (rest.length === 0 ? line : Buffer.concat([...rest, line])).toString()
      ;[rest, bytes, start] = [[], 0, end + 1]
    }
    if (start < chunk.length) rest.push(chunk.subarray(start))
    bytes += chunk.length - start
    if (bytes > limits.backupRowBytes) throw new UnusableBackup(TOO_LONG)
  }
  if (bytes > 0) throw new UnusableBackup('The backup has a row that was cut off.')
}

function parse(line: string, entry: ManifestEntry): Row {
  try {
    const row = JSON.parse(line)
    if (typeof row === 'object' && row !== null && !Array.isArray(row)) return row
  } catch {}
  throw wrong(entry)
}

function wrong({ name }: ManifestEntry) {
  return new UnusableBackup(`The rows of ${tableOf(name)} are not what the manifest says.`)
}
