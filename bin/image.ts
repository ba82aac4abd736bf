import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { execFileSync } from 'node:child_process'
import { nodeFileTrace } from '@vercel/nft'

// Most of `node_modules` is tools, types and other platforms, so the image gets only what the build
// can load. Dependencies have their own layer: a change of our code sends a few megabytes.

const { values } = parseArgs({ options: { output: { type: 'string' } } })
const root = join(import.meta.dirname, '..')
const output = resolve(values.output ?? join(root, 'build-image'))

/** Packages read these files by their path and do not import them. */
const READ_BY_PATH = [
  'node_modules/swagger-ui-dist/{package.json,swagger-ui.css,swagger-ui-bundle.js}',
  'node_modules/@simplewebauthn/browser/{package.json,script/index.js,dist/bundle/index.umd.min.js}',
]

const NOT_SHIPPED = /^build\/(?:tests|benchmarks|package-lock\.json|bin\/(?:test|image)\.js)|\.map$/

/** The base image is Debian on one platform. */
const OTHER_PLATFORM = new RegExp(`better-sqlite3/prebuilds/(?!linux-${process.arch}\\.)`)

/** A container often allows at most 1,024 open files, and sockets and modules also need some. */
const OPEN_FILES = 256

/** The framework calls its generators only in development. */
const GENERATORS = 'node_modules/@adonisjs/assembler/**'

function filesOf(pattern: string) {
  return globSync(pattern, { cwd: root }).filter((file) => statSync(join(root, file)).isFile())
}

function codeFiles() {
  const built = filesOf('build/{**,.adonisjs/**}').filter((file) => !NOT_SHIPPED.test(file))
  return ['package.json', 'bin/launch.js', ...built]
}

async function dependencyFiles(code: string[]) {
  const entries = code.filter((file) => file.endsWith('.js')).map((file) => join(root, file))
  const ignore = [GENERATORS]
  const options = { base: root, processCwd: root, ignore, fileIOConcurrency: OPEN_FILES }
  const { fileList } = await nodeFileTrace(entries, options)
  const traced = [...fileList].filter((file) => file.startsWith('node_modules/'))
  const licences = [...new Set(traced.map(groupOf))].map((group) => `${group}/{LICEN[CS]E,NOTICE}*`)
  const files = new Set([...traced, ...[...READ_BY_PATH, ...licences].flatMap(filesOf)])
  return [...files].filter((file) => !OTHER_PLATFORM.test(file)).sort()
}

function copy(files: string[], layer: string) {
  for (const file of files) {
    const target = join(output, layer, file)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, file), target, { dereference: true })
  }
}

function compressedBytes(layer: string) {
  const command = `tar --sort=name --mtime=@0 -c . | gzip -6 | wc -c`
  return Number(execFileSync('sh', ['-c', command], { cwd: join(output, layer), encoding: 'utf8' }))
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

function groupOf(file: string) {
  const parts = file.split('/')
  return parts.slice(0, parts[1]?.startsWith('@') ? 3 : 2).join('/')
}

function largestOf(files: string[]) {
  const sizes = new Map<string, number>()
  for (const file of files) {
    const group = groupOf(file)
    sizes.set(group, (sizes.get(group) ?? 0) + statSync(join(root, file)).size)
  }
  return [...sizes].sort(([, one], [, other]) => other - one).slice(0, 8)
}

function digestOf(files: string[]) {
  const digest = createHash('sha256')
  for (const file of files) digest.update(file).update(readFileSync(join(root, file)))
  return digest.digest('hex').slice(0, 12)
}

function print(layer: string, files: string[]) {
  const bytes = files.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  const sizes = `${megabytes(compressedBytes(layer))} compressed, ${megabytes(bytes)} in all`
  console.log(`\n${layer}: ${sizes}, ${files.length} files, content ${digestOf(files)}`)
  for (const [group, size] of largestOf(files)) {
    console.log(`  ${megabytes(size).padStart(8)}  ${group}`)
  }
}

if (!existsSync(join(root, 'build/bin/server.js'))) {
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
}
rmSync(output, { recursive: true, force: true })
const code = codeFiles()
const dependencies = await dependencyFiles(code)
copy(dependencies, 'dependencies')
copy(code, 'code')
console.log(`Layers beside the base image, in ${output}:`)
print('dependencies', dependencies)
print('code', code)
