import { subscribeToAll } from '#events/record'

/** The mails are a layer above `app/events`, so they are loaded with the first event. */
export default class EventsProvider {
  register() {
    subscribeToAll(async (event, trx) => {
      const { queueMailsOn } = await import('#mails/queue/queue_mails_on')
      await queueMailsOn(event, trx)
    })
  }
}
