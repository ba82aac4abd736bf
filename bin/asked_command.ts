import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { BaseCommand } from '@adonisjs/core/ace'
import type { CommandMetaData } from '@adonisjs/core/types/ace'

/*
 | The start of a command reads only its file. The framework would read all files to find it, which
 | takes a fifth of the time and 5 MB; it still does so for a list and for an unknown name.
 */

const FOLDER = new URL('../commands/', import.meta.url)

function fileOf(name: string) {
  const isName = /^[a-z]+:[a-z-]+$|^[a-z]+$/.test(name)
  return isName ? new URL(name.replace(/[:-]/g, '_') + extname(import.meta.filename), FOLDER) : null
}

async function load(name: string): Promise<typeof BaseCommand | null> {
  const file = fileOf(name)
  if (!file || !existsSync(file)) return null
  const { default: command } = await import(file.href)
  return command.commandName === name ? command : null
}

/** Arguments after `--` are not flags. */
function asksForHelp() {
  const end = process.argv.indexOf('--')
  return process.argv.slice(0, end === -1 ? undefined : end).includes('--help')
}

/** Help starts no application: it takes half the time and needs neither settings nor a database. */
function describe(command: typeof BaseCommand): CommandMetaData {
  const metaData = command.serialize()
  if (!asksForHelp()) return metaData
  return { ...metaData, options: { ...metaData.options, startApp: false } }
}

export async function getMetaData(): Promise<CommandMetaData[]> {
  const command = await load(process.argv[2] ?? '')
  return command ? [describe(command)] : []
}

export function getCommand({ commandName }: CommandMetaData) {
  return load(commandName)
}
