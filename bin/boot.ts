import { prettyPrintError } from '@adonisjs/core'
import type { Kernel } from '@adonisjs/core/ace'

const root = new URL('../', import.meta.url)

export function importFromApp(path: string) {
  const isRelative = path.startsWith('./') || path.startsWith('../')
  return import(isRelative ? new URL(path, root).href : path)
}

/** Errors of environment and listening; `app/health/check_failures.ts` explains database errors. */
const REMEDIES: Record<string, (error: any) => string> = {
  E_INVALID_ENV_VARIABLES: ({ help }) => `Gatehouse cannot start with this environment:\n${help}`,
  E_CONFIGURATION_FILES: ({ message }) =>
    `Gatehouse cannot start with the files of CONFIG_FILES:\n${message}`,
  E_RESTORE_UNFINISHED: ({ message }) => `Gatehouse cannot start: ${message}`,
  E_LANGUAGE_FILE: ({ message }) => `Gatehouse cannot read a language file: ${message}`,
  EADDRINUSE: ({ address, port }) =>
    `Gatehouse cannot listen: ${address}:${port} is in use. Stop what uses it or set PORT.`,
  EADDRNOTAVAIL: ({ address }) => notOurAddress(address),
}

function notOurAddress(host: string) {
  return `Gatehouse cannot listen: ${host} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all.`
}

function sentenceOfListening({ code, syscall, hostname, port }: any) {
  if (hostname && hostname === process.env.HOST) return notOurAddress(hostname)
  if (code !== 'EACCES' || syscall !== 'listen') return null
  return `Gatehouse may not listen on port ${port}. Set PORT to one from 1024 on.`
}

/** Returns null for errors that no operator can correct. The rules need a valid environment. */
async function sentenceOf(error: any) {
  const sentence = REMEDIES[error.code]?.(error) ?? sentenceOfListening(error)
  if (sentence) return sentence
  const { explainError } = await import('#health/check_failures')
  const reason = explainError(error)
  return reason && `Gatehouse cannot start: ${reason}`
}

async function printError(error: any) {
  const sentence = await sentenceOf(error).catch(() => null)
  if (sentence) console.error(sentence)
  else await prettyPrintError(error)
}

/** Exits, because open connections would keep the process alive. */
export async function refuseToStart(error: any) {
  await printError(error)
  process.exit(1)
}

const USAGE_ERRORS = /^E_(COMMAND_NOT_FOUND|(MISSING|UNKNOWN|INVALID)_(FLAG|ARG)(_VALUE)?)$/

/** The framework suggests the closest name last, and for a namespace, all of its commands. */
function hintOf({ code, commandName }: any, kernel: Kernel) {
  if (code !== 'E_COMMAND_NOT_FOUND') return 'See --help.'
  if (kernel.getNamespaces().includes(commandName)) return `See list ${commandName}.`
  const meant = kernel.getCommandSuggestions(commandName).at(-1)
  return meant ? `Did you mean ${meant}?` : 'See list.'
}

export async function refuseUsage(error: any, kernel: Kernel) {
  const isUsage = USAGE_ERRORS.test(error.code)
  kernel.exitCode = isUsage ? 2 : 1
  if (isUsage) console.error(`${error.message}. ${hintOf(error, kernel)}`)
  else await printError(error)
}
