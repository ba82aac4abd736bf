/*
 | The program of `npm start` and `npm run ace`: compiles the sources when they are
 | newer than the build, then runs the build in this same process, so that the
 | signals of a supervisor reach the product.
 */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'build', 'package.json')
const sources = ['app', 'bin', 'commands', 'config', 'database', 'providers', 'resources', 'start']
const settings = ['adonisrc.ts', 'package.json', 'tsconfig.json', 'tsconfig.build.json']

function isNewer(path, than) {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return mtimeMs > than
}

/** Whether a file in this folder or below it is newer. Each command checks all 2,000 files. */
function hasNewer(folder, than) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = `${folder}/${entry.name}`
    return isNewer(path, than) || (entry.isDirectory() && hasNewer(path, than))
  })
}

function isStale() {
  if (!existsSync(stamp)) return true
  if (!existsSync(join(root, 'adonisrc.ts'))) return false
  const builtAt = statSync(stamp).mtimeMs
  return (
    settings.some((file) => isNewer(join(root, file), builtAt)) ||
    sources
      .map((folder) => join(root, folder))
      .some((folder) => existsSync(folder) && hasNewer(folder, builtAt))
  )
}

/** Shows the elapsed time every second, on a terminal; the first build takes the longest. */
async function build() {
  console.error('Building Gatehouse, which a new version needs once …')
  const startedAt = Date.now()
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1_000)} s`
  const say = () => process.stderr.isTTY && process.stderr.write(`\r  compiling, ${seconds()}`)
  const timer = setInterval(say, 1_000)
  const { code, output } = await runBuild()
  clearInterval(timer)
  console.error(
    `${process.stderr.isTTY ? '\r' : ''}  ${code === 0 ? 'built' : 'failed'} after ${seconds()}`
  )
  if (code === 0) return
  console.error(output)
  process.exit(1)
}

/** Does not check types: this takes three times as long, and is done where the sources change. */
function runBuild() {
  const args = ['ace.js', 'build', '--tsconfig=tsconfig.build.json']
  const child = spawn(process.execPath, args, { cwd: root })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

/** `npm run ace -- --version` and `npm start -- --version`, before anything is built. */
if (process.argv[3] === '--version') {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  console.log(`Gatehouse ${version}`)
  process.exit()
}

/** Until the product has its own signal handlers (`app/http/lifecycle.ts`), no request waits for an answer. */
if (process.argv[2] === 'serve') {
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0))
}

/**
 * Threads for the concurrent hashes (`config/passwords.ts`), one for secrets of clients, and two
 * for files. libuv starts four threads on every machine unless another number is set before.
 */
process.env.UV_THREADPOOL_SIZE ??= String(availableParallelism() + 4)

/** Without a terminal, a library of the framework starts `tput` twice and then takes this size. */
if (!process.stdout.isTTY && !process.stderr.isTTY) {
  process.env.COLUMNS ||= '80'
  process.env.LINES ||= '24'
}

if (isStale()) await build()
process.chdir(root)
process.env.ENV_PATH ??= root
process.env.NODE_ENV ??= 'production'
const [program, ...args] = process.argv.slice(2)
process.argv = [process.execPath, join(root, 'build/bin/console.js'), ...args]
await import(program === 'ace' ? '../build/bin/console.js' : '../build/bin/server.js')
