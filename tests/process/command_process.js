import 'reflect-metadata'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/*
 | Runs commands of the build one after another in this process, as `bin/console.ts` runs one. A
 | line of standard input is a command, and a line of standard output is its result. All commands
 | have the environment of the process.
 */

const root = join(import.meta.dirname, '../..')
const build = new URL('build/', pathToFileURL(`${root}/`))
const [requests, answers] = [process.stdin, process.stdout.write.bind(process.stdout)]

process.chdir(root)
Object.assign(process.env, { ENV_PATH: root, NODE_ENV: 'production', COLUMNS: '80', LINES: '24' })

const { Ignitor } = await import('@adonisjs/core')
const { Kernel } = await import('@adonisjs/core/ace')
const { importFromApp, refuseUsage } = await import(new URL('bin/boot.js', build))
const { showHelp } = await import(new URL('commands/_help.js', build))
const asked = await import(new URL('bin/asked_command.js', build))

const app = new Ignitor(build, { importer: importFromApp })
  .tap((created) => created.booting(() => import(new URL('start/env.js', build))))
  .createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

function newKernel() {
  const kernel = new Kernel(app)
  kernel.addLoader(asked)
  kernel.defineFlag('help', { type: 'boolean' })
  kernel.errorHandler = { render: refuseUsage }
  kernel.on('help', showHelp)
  kernel.info.set('binary', 'npm run -s ace --')
  return kernel
}

/** Records what is written to a stream from now on. */
function record(stream) {
  let written = ''
  stream.write = (chunk, encoding, done = encoding) => {
    written += chunk
    if (typeof done === 'function') done()
    return true
  }
  return () => written
}

async function run({ args, stdin }) {
  const [stdout, stderr] = [record(process.stdout), record(process.stderr)]
  const input = Readable.from([Buffer.from(stdin)])
  Object.defineProperty(process, 'stdin', { value: input, configurable: true })
  process.argv = [process.execPath, 'console.js', ...args]
  const kernel = newKernel()
  await kernel.handle(args)
  return { code: kernel.exitCode ?? 0, stdout: stdout(), stderr: stderr() }
}

for await (const line of createInterface({ input: requests })) {
  answers(`${JSON.stringify(await run(JSON.parse(line)))}\n`)
}
process.exit()
