import { prettyPrintError } from '@adonisjs/core'

const root = new URL('../', import.meta.url)

/** Resolves the relative module paths named in `adonisrc.ts` from the application root. */
export function importFromApp(path: string) {
  const isRelative = path.startsWith('./') || path.startsWith('../')
  return import(isRelative ? new URL(path, root).href : path)
}

/** Errors that an operator can correct: one line with the remedy, without a stack. */
const REMEDIES: Record<string, (error: any) => string> = {
  E_INVALID_ENV_VARIABLES: ({ help }) => `Gatehouse cannot start with this environment:\n${help}`,
  E_LANGUAGE_FILE: ({ message }) => `Gatehouse cannot read a language file: ${message}`,
  EADDRINUSE: ({ address, port }) =>
    `Gatehouse cannot listen: ${address}:${port} is in use. Stop what uses it or set PORT.`,
  EADDRNOTAVAIL: ({ address }) => notOurAddress(address),
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EACCES: ({ message }) => `Gatehouse is not allowed to: ${message}. Check HOST, PORT, DATA_DIR.`,
  ENOTDIR: ({ message }) => `Gatehouse cannot use its folder: ${message}. Check DATA_DIR.`,
  EROFS: ({ message }) => `Gatehouse cannot write: ${message}. Check DATA_DIR.`,
  SQLITE_NOTADB: () =>
    'Gatehouse cannot open its database: gatehouse.sqlite in DATA_DIR is not a database. Restore it from a backup.',
  ECONNREFUSED: ({ message }) =>
    `Gatehouse cannot reach its database: ${message}. Check DATABASE_URL or DB_HOST and DB_PORT.`,
}

function notOurAddress(host: string) {
  return `Gatehouse cannot listen: ${host} is no address of this machine. Set HOST to one, or to 0.0.0.0 for all.`
}

function unknownHost({ hostname }: { hostname: string }) {
  if (hostname === process.env.HOST) return notOurAddress(hostname)
  return `Gatehouse cannot find the host ${hostname}. Check DATABASE_URL or DB_HOST.`
}

/** Extended codes such as SQLITE_READONLY_DIRECTORY say what exactly could not be written. */
const SQLITE_WRITE = /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR|PERM)/

function cannotWrite({ code }: { code: string }) {
  return `Gatehouse cannot write to its database (${code}). Check the owner and the free space of DATA_DIR and of gatehouse.sqlite in it.`
}

async function printError(error: any) {
  const remedy = SQLITE_WRITE.test(error.code) ? cannotWrite : REMEDIES[error.code]
  if (remedy) console.error(remedy(error))
  else await prettyPrintError(error)
}

/** Ends a start that failed; open connections would keep the process alive. */
export async function refuseToStart(error: any) {
  await printError(error)
  process.exit(1)
}

/** Faults of a command line, which end with the exit code of a usage error. */
const USAGE_ERRORS = /^E_(COMMAND_NOT_FOUND|(MISSING|UNKNOWN|INVALID)_(FLAG|ARG)(_VALUE)?)$/

/** Ends a command that could not run. */
export async function refuseUsage(error: any, kernel: { exitCode?: number }) {
  const isUsage = USAGE_ERRORS.test(error.code)
  kernel.exitCode = isUsage ? 2 : 1
  if (isUsage) console.error(`${error.message}. See --help.`)
  else await printError(error)
}
