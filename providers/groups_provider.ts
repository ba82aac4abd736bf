import { setGroupNames } from '#auth/claims/added_claims'
import { subscribe } from '#events/record'

/** Groups are a layer above authentication, which notifies them of sign-ins by a provider. */
export default class GroupsProvider {
  register() {
    setGroupNames(async (user) => {
      const { groupNamesOf } = await import('#groups/names_of')
      return groupNamesOf(user)
    })
    subscribe('identity.used', async ({ user, context }, trx) => {
      const { setProvidedGroups } = await import('#groups/provided/provided_groups')
      await setProvidedGroups({ userId: user.id, ...context }, trx)
    })
    subscribe('identity.removed', async ({ user, context }, trx) => {
      const { leaveProvidedGroups } = await import('#groups/provided/leave_provided')
      await leaveProvidedGroups({ userId: user.id, ...context }, trx)
    })
  }
}
