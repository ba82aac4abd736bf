import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from '@japa/runner'
import type { BaseCommand } from '@adonisjs/core/ace'

const root = join(import.meta.dirname, '../..')
const names = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/express/README.md',
  'examples/observability/README.md',
  ...['docs', 'docs/sign-in'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  ),
]
const documents = names
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

function matchesIn(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].map((match) => match.slice(1))
}

/** Returns the options of each command of the product, by command name. */
async function commandOptions() {
  const files = readdirSync(join(root, 'commands')).filter((name) => !name.startsWith('_'))
  const modules = await Promise.all(files.map((name) => import(`../../commands/${name}`)))
  const commands = modules.map((module) => module.default as typeof BaseCommand)
  return new Map(
    commands.map(({ commandName, flags }) => [commandName, flags.map((flag) => flag.flagName)])
  )
}

function readPackage(folder = '.') {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

test.group('Documents', () => {
  test('the example names the versions that are tested', ({ assert }) => {
    const { dependencies, devDependencies } = readPackage()
    const tested = { ...dependencies, ...devDependencies }
    const example = readPackage('examples/express').dependencies
    for (const [name, version] of Object.entries(example)) assert.equal(version, tested[name], name)
  })

  test('{name} names commands and options that exist')
    .with(documents)
    .run(async ({ assert }, { text }) => {
      const known = await commandOptions()
      const lines = matchesIn(text, /npm run ace -- ([a-z]+(?::[a-z-]+)?)([^#`\n]*)/g)
      for (const [command, rest] of lines.filter(([name]) => name !== 'list')) {
        assert.isTrue(known.has(command), command)
        const options = matchesIn(rest, /--([a-z-]+)/g).map(([option]) => option)
        assert.includeMembers(known.get(command)!, options, command)
      }
    })

  test('{name} names scripts and files that exist')
    .with(documents)
    .run(({ assert }, { text }) => {
      const { scripts } = readPackage()
      const named = matchesIn(text, /npm run ([a-z][a-z:-]*)/g)
      for (const [script] of named) assert.property(scripts, script)
      const paths =
        /`((?:app|start|tests|config|database|resources|benchmarks|docs|bin|examples)\/[\w./-]+)`/g
      for (const [path] of matchesIn(text, paths)) assert.isTrue(existsSync(join(root, path)), path)
    })

  test('{name} links to files that exist')
    .with(documents)
    .run(({ assert }, { name, text }) => {
      for (const [path] of matchesIn(text, /\]\(((?!https?:|#|mailto:)[^)#]+)(?:#[^)]*)?\)/g)) {
        assert.isTrue(existsSync(join(root, dirname(name), path)), path)
      }
    })
})
