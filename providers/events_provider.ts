import { subscribeToAll } from '#events/record'

/** Has the mails hear events: they stand above `app/events`, and are loaded with the first one. */
export default class EventsProvider {
  register() {
    subscribeToAll(async (event, trx) => {
      const { queueMailsOn } = await import('#mails/queue/queue_mails_on')
      await queueMailsOn(event, trx)
    })
  }
}
