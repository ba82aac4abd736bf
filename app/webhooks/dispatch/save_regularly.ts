import type { WebhookRow } from '#webhooks/webhook'
import { saveOutcomes } from './outcomes.ts'
import type { Outcome } from './send_message.ts'

/** After a crash, at most the messages of this interval are sent again. */
const SAVE_MS = 100

/** A failure of the database ends the chunk, and what was not saved is sent again. */
export function saveRegularly(webhook: WebhookRow, unsaved: Outcome[]) {
  let failure: Error | null = null
  let running = Promise.resolve()
  const save = () => {
    running = running
      .then(() => saveOutcomes(webhook, unsaved.splice(0)))
      .catch((error) => void (failure ??= error))
  }
  const timer = setInterval(save, SAVE_MS).unref()
  async function finish() {
    clearInterval(timer)
    save()
    await running
    if (failure) throw failure
  }
  return { finish }
}
