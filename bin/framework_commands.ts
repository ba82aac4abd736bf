import * as core from '@adonisjs/core/commands'
import * as lucid from '@adonisjs/lucid/commands'

/*
 | The framework's own commands. In the built product an operator meets those that are of
 | use there, and none that empties the database or writes source files.
 */

const FOR_OPERATORS = new Set(['list:routes', 'migration:run', 'migration:status'])

const isBuilt = import.meta.filename.endsWith('.js')

const packages = [core, lucid]

async function offeredBy(each: typeof core | typeof lucid) {
  const commands = await each.getMetaData()
  return isBuilt ? commands.filter((one) => FOR_OPERATORS.has(one.commandName)) : commands
}

export async function getMetaData() {
  const offered = await Promise.all(packages.map(offeredBy))
  return offered.flat()
}

export async function getCommand(wanted: { commandName: string }) {
  for (const each of packages) {
    const found = await each.getCommand(wanted as any)
    if (found) return found
  }
  return null
}
