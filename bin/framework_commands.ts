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

export async function getCommand(metaData: CommandMetaData) {
  for (const pack of packages) {
    const command = await pack.getCommand(metaData)
    if (command) return command
  }
  return null
}
