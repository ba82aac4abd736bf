import * as core from '@adonisjs/core/commands'
import * as lucid from '@adonisjs/lucid/commands'
import type { CommandMetaData } from '@adonisjs/core/types/ace'

// The product offers no command of the framework that empties the database or writes source files.

const FOR_OPERATORS = new Set(['list:routes', 'migration:run', 'migration:status'])

const isBuilt = import.meta.filename.endsWith('.js')

const packages = [core, lucid]

async function commandsOf(pack: typeof core | typeof lucid) {
  const commands = await pack.getMetaData()
  return isBuilt ? commands.filter(({ commandName }) => FOR_OPERATORS.has(commandName)) : commands
}

export async function getMetaData() {
  const commands = await Promise.all(packages.map(commandsOf))
  return commands.flat()
}

const SETTLED = ['--force', '--help', '-h']

/** In production, the framework asks before it migrates, and without a terminal nothing answers. */
function assertAnswerable({ commandName }: CommandMetaData) {
  const isAsked = isBuilt && commandName === 'migration:run'
  if (!isAsked || process.stdin.isTTY || process.argv.some((each) => SETTLED.includes(each))) return
  console.error('migration:run asks before it begins: without a terminal, say so with --force.')
  process.exit(2)
}

export async function getCommand(metaData: CommandMetaData) {
  assertAnswerable(metaData)
  for (const pack of packages) {
    const command = await pack.getCommand(metaData)
    if (command) return command
  }
  return null
}
