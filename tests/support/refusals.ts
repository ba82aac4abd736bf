import logger from '@adonisjs/core/services/logger'
import { refusalRecords } from '#oidc/refusals/list_refusals'
import { authorizationRequest, Browser, type Application } from './oidc.ts'

/* Wrong requests of an application, and what its administrator sees of them. */

export const ELSEWHERE = 'https://elsewhere.example.org/callback'

/** Sends an authorization request from the given browser, or from one without a session. */
export async function ask(
  app: Pick<Application, 'config'>,
  parameters: Record<string, string>,
  browser = new Browser()
) {
  const { url } = await authorizationRequest(app, parameters)
  for (const [name, value] of Object.entries(parameters)) {
    if (!value) url.searchParams.delete(name)
  }
  return browser.open(url)
}

export function refusalsOf({ client }: Pick<Application, 'client'>) {
  return refusalRecords(client)
}

/** Returns the lines that are logged at `warn` while a step runs. */
export async function warningsOf(step: () => Promise<unknown>) {
  const lines: any[] = []
  const { warn } = logger
  logger.warn = ((...line: unknown[]) => lines.push(line[0])) as any
  try {
    await step()
  } finally {
    logger.warn = warn
  }
  return lines
}
