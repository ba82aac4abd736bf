import { lacksVerifiedEmail } from '#models/verified_email'
import type { Recovery } from '#events/details'
import type { RecordedEvent } from '#events/record'
import type { Template } from './template.ts'
import type { TemplateName } from './contents.ts'
import { WEBHOOK_TEMPLATES } from './webhook_templates.ts'

const once = () => [{ contents: {} }]

const onlyIf = (isSent: boolean | undefined) => (isSent ? once() : [])

/** If one event sends two mails to one address, the order here is their order. */
export const TEMPLATES: { [Kind in TemplateName]: Template<Kind> } = {
  account_locked: {
    isForAddress: true,
    sentOn: {
      'account.locked': ({ context: { lockout } }) => {
        if (!lockout) return []
        const { email: recipient, until, reason } = lockout
        const contents = { lockedUntil: new Date(until).toISOString(), reason }
        const budget = reason === 'code' ? 'code_lock' : 'lock'
        return [{ recipient, userId: null, contents, budget }]
      },
    },
  },
  account_exists: { isForAddress: true, sentOn: {} },
  account_deleted: {
    outlivesUser: true,
    sentOn: {
      'account.deleted': ({ user, context }) => {
        const contents = { name: user.username, locale: user.locale }
        return context.addresses.map((recipient) => ({ recipient, contents }))
      },
    },
  },
  former_address: { budget: 'former_address', sentOn: {} },
  email_verification: {
    link: { page: '/verify-email', purpose: 'email_verification' },
    isForAddress: true,
    provesAddress: true,
    sentOn: {
      'account.registered': ({ user }) =>
        user.isEmailVerified ? [] : [{ contents: {}, userId: null, budget: 'registration' }],
      'account.created': ({ user }) =>
        lacksVerifiedEmail(user.isEmailVerified) ? [{ contents: {}, userId: null }] : [],
    },
  },
  address_code: {
    link: { page: '/confirm-address', purpose: 'address_code' },
    provesAddress: true,
    sentOn: {},
  },
  email_change: {
    link: { page: '/verify-email', purpose: 'email_change' },
    provesAddress: true,
    budget: 'new_address',
    sentOn: {
      'email.change_requested': ({ context: { newEmail, isByCode } }) =>
        isByCode ? [] : [{ recipient: newEmail, contents: {} }],
    },
  },
  email_change_requested: {
    notifiesPreviousAddresses: true,
    link: { page: '/undo-email-change', purpose: 'email_change_undo' },
    sentOn: {
      'email.change_requested': ({ context: { newEmail } }) => [{ contents: { newEmail } }],
    },
  },
  email_change_confirmed: {
    notifiesPreviousAddresses: true,
    link: { page: '/undo-email-change', purpose: 'email_change_undo' },
    sentOn: {
      'email.changed': ({ context: { newEmail, askedAt } }) =>
        askedAt ? [{ contents: { newEmail, askedAt } }] : [],
    },
  },
  email_changed: {
    sentOn: {
      'email.changed': ({ context: { newEmail, askedAt } }) =>
        askedAt ? [] : [{ contents: { newEmail } }],
    },
  },
  invitation: {
    link: { page: '/accept-invitation', purpose: 'invitation' },
    isForAddress: true,
    provesAddress: true,
    sentOn: { 'account.invited': once },
  },
  identity_linked: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'identity.linked': ({ details: { provider }, context }) =>
        context.isNewUser ? [] : [{ contents: { provider } }],
    },
  },
  identity_unlinked: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'identity.unlinked': ({ details: { provider } }) => [{ contents: { provider } }],
      'password.reset': eachProvider,
      'session.denied': eachProvider,
      'email.change_undone': eachProvider,
    },
  },
  passkey_added: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'passkey.added': ({ details }) => [{ contents: { passkeyName: details.name } }],
    },
  },
  passkey_removed: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'passkey.removed': ({ details }) => [{ contents: { passkeyName: details.name } }],
      'password.reset': eachPasskey,
      'session.denied': eachPasskey,
      'email.change_undone': eachPasskey,
      'mfa.reset': eachPasskey,
    },
  },
  passkey_copied: { notifiesPreviousAddresses: true, sentOn: {} },
  mfa_enabled: { notifiesPreviousAddresses: true, sentOn: { 'mfa.enabled': once } },
  mfa_disabled: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'mfa.disabled': once,
      'mfa.reset': ({ context }) => onlyIf(context.hadSecondFactor),
      'session.denied': ({ details }) => onlyIf(details.removedMfa),
      'email.change_undone': ({ details }) => onlyIf(details.removedMfa),
    },
  },
  mfa_suspended: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'mfa.suspended': ({ details }) => [{ contents: { wrongCodes: `${details.wrongCodes}` } }],
    },
  },
  password_changed: {
    notifiesPreviousAddresses: true,
    sentOn: { 'password.changed': once, 'password.reset': once },
  },
  password_reset: {
    link: { page: '/reset-password', purpose: 'password_reset' },
    isForAddress: true,
    provesAddress: true,
    sentOn: {
      'password.reset_requested': ({ context }) =>
        context.isMailed ? [] : [{ userId: null, contents: { from: null, removed: {} } }],
      'session.denied': (event) => (event.user.isDisabled ? [] : [resetAfter(event)]),
      'email.change_undone': (event) => [resetAfter(event)],
    },
  },
  test: { sentOn: {} },
  refresh_reused: {
    notifiesPreviousAddresses: true,
    sentOn: { 'refresh.reused': endedDevice, 'code.reused': endedDevice },
  },
  sign_in_abandoned: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'login.abandoned': ({ details, context }) => [{ contents: { ...details, ...context } }],
    },
  },
  api_key_created: {
    notifiesPreviousAddresses: true,
    sentOn: {
      'api_key.created': ({ details, context: { recipients, account } }) => {
        const { name: keyName, scopes, expiresAt: endsAt } = details
        const contents = { keyName, scopes, endsAt, account }
        return recipients.map(({ id, email }) => ({ userId: id, recipient: email, contents }))
      },
    },
  },
  api_key_expiring: { sentOn: {} },
  ...WEBHOOK_TEMPLATES,
  backup_failed: { sentOn: {} },
  new_device: {
    notifiesPreviousAddresses: true,
    link: { page: '/not-me', purpose: 'sign_in_report' },
    budget: 'sign_in',
    sentOn: {
      'login.succeeded': ({ context: { newDevice } }) =>
        newDevice ? [{ contents: newDevice }] : [],
    },
  },
  settings_changed: {
    sentOn: {
      'settings.changed': ({ actor, context: { recipients, names, via } }) =>
        recipients.map(({ id, email }) => {
          const changedBy = recipients.find((each) => each.id === actor.id)?.email ?? ''
          const contents = { names: names.join(', '), changedBy, via }
          return { userId: id, recipient: email, contents }
        }),
    },
  },
}

function eachProvider({ details }: { details: Recovery }) {
  return (details.unlinked ?? []).map((provider) => ({ contents: { provider } }))
}

function eachPasskey({ context }: { context: { passkeys: string[] } }) {
  return context.passkeys.map((passkeyName) => ({ contents: { passkeyName } }))
}

function endedDevice({ details }: RecordedEvent<'refresh.reused' | 'code.reused'>) {
  return [{ contents: { deviceName: details.deviceName! } }]
}

function resetAfter({ actor, details }: RecordedEvent<'session.denied' | 'email.change_undone'>) {
  const { unlinked, removedPasskeys, revokedKeys, removedMfa } = details
  const removed = { unlinked, removedPasskeys, revokedKeys, removedMfa }
  const from = { ip: actor.ip!, userAgent: actor.userAgent }
  return { userId: null, contents: { from, removed } }
}
