import { LRUCache } from 'lru-cache'
import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'

/* One line a minute for each client and reason: the first refusal, then a line that counts the others. */

export interface LoggedRefusal {
  clientId: string
  reason: string
  sent: string | null
  remedy: string
  setting: string | null
}

interface Window {
  timer: NodeJS.Timeout
  later: { count: number; requestIds: string[]; refusal: LoggedRefusal } | null
}

const windows = new LRUCache<string, Window>({
  max: limits.refusals.logWindows,
  dispose: ({ timer }) => clearTimeout(timer),
})

export function logRefusal(requestId: string, refusal: LoggedRefusal) {
  const key = JSON.stringify([refusal.clientId, refusal.reason])
  const window = windows.get(key)
  if (window) return countLater(window, requestId, refusal)
  logger.warn({ requestId, ...refusal, count: 1 }, 'an application was refused')
  open(key)
}

function open(key: string) {
  const timer = setTimeout(() => end(key), limits.refusals.logMs).unref()
  windows.set(key, { timer, later: null })
}

function countLater(window: Window, requestId: string, refusal: LoggedRefusal) {
  const { count = 0, requestIds = [] } = window.later ?? {}
  if (requestIds.length < limits.refusals.requestIds) requestIds.push(requestId)
  window.later = { count: count + 1, requestIds, refusal }
}

function end(key: string) {
  const later = windows.get(key)?.later
  windows.delete(key)
  if (!later) return
  const { count, requestIds, refusal } = later
  logger.warn({ requestIds, ...refusal, count }, 'an application was refused again')
  open(key)
}

const unknown = new Map<string, number>()

export function logUnknownClient(requestId: string, clientId: string) {
  if (!mayLogUnknown(clientId)) return
  const remedy = 'Check the client ID of the application, or register it.'
  logger.warn({ requestId, clientId, remedy }, 'an unknown application was refused')
}

/** Limits the log lines, because an outsider can make up any number of ids. */
export function mayLogUnknown(clientId: string, now = Date.now()) {
  const { limit, windowMs } = limits.unknownClients
  for (const [id, at] of unknown) if (at <= now - windowMs) unknown.delete(id)
  if (unknown.has(clientId) || unknown.size >= limit) return false
  unknown.set(clientId, now)
  return true
}
