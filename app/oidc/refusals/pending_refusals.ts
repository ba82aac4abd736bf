import logger from '@adonisjs/core/services/logger'
import limits from '#config/limits'
import {
  removeOldestRefusals,
  upsertRefusals,
  type RefusalGroup,
  type RefusalLine,
} from './refusal_rows.ts'

/*
 | A flood of refused requests costs one write a second for each client. Between two writes the
 | lines wait here. No request waits for them.
 */

const waiting = new Map<string, { group: RefusalGroup; lines: Map<string, RefusalLine> }>()

let timer: NodeJS.Timeout | null = null
let writtenAt = 0
let writing: Promise<void> = Promise.resolve()

export function countRefusal(group: RefusalGroup, { reason, sent, lastAt }: RefusalLine) {
  const { lines } = groupOf(group)
  const key = JSON.stringify([reason, sent])
  const { count = 0, firstAt = lastAt } = lines.get(key) ?? {}
  lines.delete(key)
  lines.set(key, { reason, sent, count: count + 1, firstAt, lastAt })
  if (lines.size > limits.refusals.limit) lines.delete(lines.keys().next().value!)
  schedule()
}

function groupOf(group: RefusalGroup) {
  const key = JSON.stringify([group.clientId, group.isTrusted])
  const found = waiting.get(key) ?? { group, lines: new Map<string, RefusalLine>() }
  if (waiting.size < limits.refusals.clients) waiting.set(key, found)
  return found
}

function schedule() {
  const pause = Math.max(0, writtenAt + limits.refusals.pauseMs - Date.now())
  timer ??= setTimeout(() => void writeRefusals(), pause).unref()
}

/** Also called before a list is read, so that the list contains the refusals of this process. */
export function writeRefusals() {
  if (timer) clearTimeout(timer)
  timer = null
  writing = writing.then(writeWaiting).catch((error) => {
    logger.warn({ err: error }, 'refusals of clients were not listed')
  })
  return writing
}

async function writeWaiting() {
  const groups = [...waiting.values()]
  waiting.clear()
  writtenAt = Date.now()
  for (const { group, lines } of groups) {
    await upsertRefusals(group, [...lines.values()], writtenAt)
    await removeOldestRefusals(group)
  }
}
