import oidc from '#config/oidc'
import { setClientAccess } from '#auth/tokens/client_access'
import { registerGroupUse } from '#groups/uses'
import { subscribe } from '#events/record'
import type { ApplicationService } from '@adonisjs/core/types'
import type { Transaction } from '#database/transaction'
import type { Group } from '#groups/group'

export default class OidcProvider {
  constructor(protected app: ApplicationService) {}

  register() {
    this.#registerGroups()
    if (!oidc.isOn) return
    setClientAccess(async (token) => {
      const { findTokenAccess } = await import('#oidc/tokens/client_access')
      return findTokenAccess(token)
    })
    subscribe('client_sessions.ended', async (event, trx) => {
      const { forgetEnded } = await import('#oidc/grants/remembered_service_sessions')
      const { queueLogouts } = await import('#oidc/backchannel/queue_logouts')
      const { endGrants } = await import('#oidc/records/delete_grant_rows')
      const { sessions, goOn } = event.context
      forgetEnded(event)
      if (!goOn)
        await endGrants(
          sessions.map(({ id }) => id),
          trx
        )
      await queueLogouts(event, trx)
    })
  }

  /** Also lists the refusals of the last second: a later write would open the database again. */
  async shutdown() {
    if (!oidc.isOn || !this.app.isReady || this.app.getEnvironment() === 'console') return
    const { flushRefusals } = await import('#oidc/refusals/list_refusals')
    await flushRefusals()
  }

  /** Runs even while the provider is off: when it is on again, the groups open applications. */
  #registerGroups() {
    registerGroupUse(findUses, {
      prepare: async () => {
        const { prepareNamedGroups } = await import('#oidc/clients/access/named_groups')
        await prepareNamedGroups()
      },
      forgetDeleted: async () => {
        const { forgetDeletedGroups } =
          await import('#oidc/clients/lost_access/forget_deleted_groups')
        return forgetDeletedGroups()
      },
    })
    subscribe('group.member_removed', async ({ user, context }, trx) => {
      if (context.isFurther) return
      const { endLostAccessOf } = await import('#oidc/clients/lost_access/end_lost_access')
      await endLostAccessOf(user!.id, trx)
    })
    subscribe('group.deleted', async ({ details, context }, trx) => {
      if (context.isUnnamed) return
      const { beginForgetting } = await import('#oidc/clients/lost_access/forget_group_job')
      await beginForgetting(details.groupId, trx)
    })
  }
}

async function findUses(groups: Group[], trx: Transaction) {
  const { findNamedGroups } = await import('#oidc/clients/access/named_groups')
  return findNamedGroups(groups, trx)
}
