import { prettyPrintError } from '@adonisjs/core'

const root = new URL('../', import.meta.url)

/** Resolves the relative module paths named in `adonisrc.ts` from the application root. */
export function importFromApp(path: string) {
  const isRelative = path.startsWith('./') || path.startsWith('../')
  return import(isRelative ? new URL(path, root).href : path)
}

/**
 * Ends a start that failed. A fault in the environment is the operator's to
 * mend: one line each names the variable and the remedy, without a stack.
 */
export function refuseToStart(error: any) {
  process.exitCode = 1
  if (error.code === 'E_INVALID_ENV_VARIABLES') {
    console.error(`Gatehouse cannot start with this environment:\n${error.help}`)
    return
  }
  return prettyPrintError(error)
}
