import ClientDelete from '#commands/client_delete'
import ClientRotateSecret from '#commands/client_rotate_secret'
import ClientUpdate from '#commands/client_update'
import GroupAdd from '#commands/group_add'
import GroupDelete from '#commands/group_delete'
import GroupRemove from '#commands/group_remove'
import UserDelete from '#commands/user_delete'
import UserUpdate from '#commands/user_update'
import WebhookDelete from '#commands/webhook_delete'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { runCommand } from '#tests/support/commands'
import { removeWebhooks, withoutMails } from '#tests/support/webhook_endpoints'
import {
  managedAccount,
  managedClient,
  managedGroup,
  managedWebhook,
  someName,
} from './managed_records.ts'

/* Each command that would change what a configuration file manages. */

type Outcome = ReturnType<typeof runCommand>

const onClient =
  (Command: unknown, ...flags: string[]) =>
  async () => {
    const { client } = await managedClient()
    return runCommand(Command, [client.clientId, ...flags])
  }

const onAccount =
  (Command: unknown, ...flags: string[]) =>
  async () => {
    const { account } = await managedAccount()
    return runCommand(Command, [account.id, ...flags])
  }

/** Commands that are refused with the name of the file. */
export const MANAGED_COMMANDS: Record<string, () => Outcome> = {
  'client:update': onClient(ClientUpdate, '--name=Other'),
  'client:rotate-secret': onClient(ClientRotateSecret),
  'client:delete': onClient(ClientDelete, '--yes'),
  'user:update of the role': onAccount(UserUpdate, '--role=Admin'),
  'user:update of the name': onAccount(UserUpdate, '--username=Other'),
  'user:delete': onAccount(UserDelete, '--yes'),
  'group:delete': async () => {
    const { name } = await managedGroup()
    return runCommand(GroupDelete, [name, '--yes'])
  },
  'group:delete of a group of a client': async () => {
    const { group } = await managedClient()
    return runCommand(GroupDelete, [group.name, '--yes'])
  },
  'group:add of an account': async () => {
    const { account } = await managedAccount()
    const { name } = await createGroup({ name: someName() }, SYSTEM)
    return runCommand(GroupAdd, [name, account.id])
  },
  'group:remove of an account': async () => {
    const { account, group } = await managedAccount()
    return runCommand(GroupRemove, [group.name, account.id])
  },
  /** All tests together share the limit of webhooks. */
  'webhook:delete': async () => {
    await removeWebhooks()
    const { name } = await managedWebhook()
    return withoutMails(() => runCommand(WebhookDelete, [name, '--yes']))
  },
}
