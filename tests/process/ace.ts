import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { environmentHere } from './product.ts'

const root = join(import.meta.dirname, '../..')

export interface RunOptions {
  stdin?: string | Uint8Array
  settings?: Record<string, string>
}

export function spawnAce(dataDir: string, args: string[], settings: Record<string, string>) {
  const env = { ...environmentHere(), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...settings }
  return spawn(process.execPath, ['bin/launch.js', 'ace', ...args], { cwd: root, env })
}

/** Runs a command whose standard output goes to a file unchanged. */
export async function aceToFile(
  dataDir: string,
  args: string[],
  { stdin = '', settings = {}, path }: RunOptions & { path: string }
) {
  const child = spawnAce(dataDir, args, settings)
  child.stdin.end(stdin)
  const file = createWriteStream(path)
  const [stderr] = await Promise.all([text(child.stderr), pipeline(child.stdout, file)])
  return { stderr, bytes: file.bytesWritten }
}

/** Runs the real binary, as an operator runs it beside a server. */
export async function ace(
  dataDir: string,
  args: string[],
  { stdin = '', settings = {} }: RunOptions = {}
) {
  const child = spawnAce(dataDir, args, settings)
  child.stdin.end(stdin)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1))),
  ])
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}
