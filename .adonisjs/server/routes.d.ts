import '@adonisjs/core/types/http'

type ParamValue = string | number | bigint | boolean

export type ScannedRoutes = {
  ALL: {
    'auth.register': { paramsTuple?: []; params?: {} }
    'auth.login': { paramsTuple?: []; params?: {} }
    'auth.refresh': { paramsTuple?: []; params?: {} }
    'mfa.verify': { paramsTuple?: []; params?: {} }
    'passkey_logins.options': { paramsTuple?: []; params?: {} }
    'passkey_logins.store': { paramsTuple?: []; params?: {} }
    'recovery.forgot_password': { paramsTuple?: []; params?: {} }
    'recovery.reset_password': { paramsTuple?: []; params?: {} }
    'verification.verify': { paramsTuple?: []; params?: {} }
    'verification.resend': { paramsTuple?: []; params?: {} }
    'profile.show': { paramsTuple?: []; params?: {} }
    'profile.update': { paramsTuple?: []; params?: {} }
    'profile.export': { paramsTuple?: []; params?: {} }
    'profile.export_reauthenticated': { paramsTuple?: []; params?: {} }
    'profile.destroy': { paramsTuple?: []; params?: {} }
    'credentials.change_password': { paramsTuple?: []; params?: {} }
    'credentials.revoke': { paramsTuple?: []; params?: {} }
    'sessions.logout': { paramsTuple?: []; params?: {} }
    'sessions.logout_all': { paramsTuple?: []; params?: {} }
    'sessions.index': { paramsTuple?: []; params?: {} }
    'sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'devices.index': { paramsTuple?: []; params?: {} }
    'devices.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'audit.activity': { paramsTuple?: []; params?: {} }
    'mfa.setup': { paramsTuple?: []; params?: {} }
    'mfa.enable': { paramsTuple?: []; params?: {} }
    'mfa.renew_backup_codes': { paramsTuple?: []; params?: {} }
    'mfa.disable': { paramsTuple?: []; params?: {} }
    'passkeys.options': { paramsTuple?: []; params?: {} }
    'passkeys.store': { paramsTuple?: []; params?: {} }
    'passkeys.index': { paramsTuple?: []; params?: {} }
    'passkeys.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'passkeys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'api_keys.index': { paramsTuple?: []; params?: {} }
    'api_keys.store': { paramsTuple?: []; params?: {} }
    'api_keys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'external.identities': { paramsTuple?: []; params?: {} }
    'external.index': { paramsTuple?: []; params?: {} }
    'external.exchange': { paramsTuple?: []; params?: {} }
    'external.start': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'external.callback': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'external.link': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'external.unlink': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'avatars.store': { paramsTuple?: []; params?: {} }
    'avatars.destroy': { paramsTuple?: []; params?: {} }
    'avatars.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'users.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'users.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'users.change_password': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'users.index': { paramsTuple?: []; params?: {} }
    'users.index_after': { paramsTuple?: []; params?: {} }
    'users.store': { paramsTuple?: []; params?: {} }
    'users.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'audit.index': { paramsTuple?: []; params?: {} }
    'user_actions.unlock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.lock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.reset_mfa': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.send_password_reset': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.sessions': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.end_sessions': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.end_session': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'sessionId': ParamValue} }
    'user_passkeys.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_passkeys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'passkeyId': ParamValue} }
    'user_keys.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_keys.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_keys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'keyId': ParamValue} }
    'user_groups.own': { paramsTuple?: []; params?: {} }
    'groups.index': { paramsTuple?: []; params?: {} }
    'groups.store': { paramsTuple?: []; params?: {} }
    'groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'groups.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'groups.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'group_members.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'group_members.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'userId': ParamValue} }
    'group_members.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'userId': ParamValue} }
    'user_groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_groups.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'introspection.store': { paramsTuple?: []; params?: {} }
    'client_logos.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'client_logos.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.index': { paramsTuple?: []; params?: {} }
    'oauth_clients.store': { paramsTuple?: []; params?: {} }
    'oauth_clients.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.refusals': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.preview': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'client_logos.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.index': { paramsTuple?: []; params?: {} }
    'webhooks.store': { paramsTuple?: []; params?: {} }
    'webhooks.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.test': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.replay': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhook_deliveries.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhook_deliveries.retry': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'settings.store_logo': { paramsTuple?: []; params?: {} }
    'settings.index': { paramsTuple?: []; params?: {} }
    'settings.update': { paramsTuple?: []; params?: {} }
    'external_providers.index': { paramsTuple?: []; params?: {} }
    'external_providers.store': { paramsTuple?: []; params?: {} }
    'external_providers.update': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'external_providers.destroy': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'external_providers.test': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'health.show': { paramsTuple?: []; params?: {} }
    'health.database': { paramsTuple?: []; params?: {} }
    'health.store': { paramsTuple?: []; params?: {} }
    'health.live': { paramsTuple?: []; params?: {} }
    'health.ready': { paramsTuple?: []; params?: {} }
    'metrics.show': { paramsTuple?: []; params?: {} }
    'public_keys.show': { paramsTuple?: []; params?: {} }
    'public_keys.preflight': { paramsTuple?: []; params?: {} }
    'webfinger.show': { paramsTuple?: []; params?: {} }
    'webfinger.preflight': { paramsTuple?: []; params?: {} }
    'related_origins.show': { paramsTuple?: []; params?: {} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.profile.show': { paramsTuple?: []; params?: {} }
    'account.profile.update': { paramsTuple?: []; params?: {} }
    'account.pictures.destroy': { paramsTuple?: []; params?: {} }
    'account.handles.update': { paramsTuple?: []; params?: {} }
    'account.addresses.update': { paramsTuple?: []; params?: {} }
    'account.addresses.resend': { paramsTuple?: []; params?: {} }
    'account.addresses.withdraw': { paramsTuple?: []; params?: {} }
    'account.security.show': { paramsTuple?: []; params?: {} }
    'account.passwords.update': { paramsTuple?: []; params?: {} }
    'account.passwords.begin': { paramsTuple?: []; params?: {} }
    'account.mfa.setup': { paramsTuple?: []; params?: {} }
    'account.mfa.enable': { paramsTuple?: []; params?: {} }
    'account.mfa.show_codes': { paramsTuple?: []; params?: {} }
    'account.mfa.renew_codes': { paramsTuple?: []; params?: {} }
    'account.mfa.disable': { paramsTuple?: []; params?: {} }
    'account.devices.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.passkeys.create': { paramsTuple?: []; params?: {} }
    'account.passkeys.store': { paramsTuple?: []; params?: {} }
    'account.passkeys.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.passkeys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.providers.link': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.providers.linked': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.providers.unlink': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.api_keys.show': { paramsTuple?: []; params?: {} }
    'account.api_keys.store': { paramsTuple?: []; params?: {} }
    'account.api_keys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.sessions.index': { paramsTuple?: []; params?: {} }
    'account.sessions.destroy_others': { paramsTuple?: []; params?: {} }
    'account.sessions.destroy_all': { paramsTuple?: []; params?: {} }
    'account.sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.activity.index': { paramsTuple?: []; params?: {} }
    'account.applications.index': { paramsTuple?: []; params?: {} }
    'account.applications.destroy': { paramsTuple?: []; params?: {} }
    'account.data.show': { paramsTuple?: []; params?: {} }
    'account.data.begin': { paramsTuple?: []; params?: {} }
    'account.data.export': { paramsTuple?: []; params?: {} }
    'account.deletions.create': { paramsTuple?: []; params?: {} }
    'account.deletions.store': { paramsTuple?: []; params?: {} }
    'account.back.picture': { paramsTuple?: []; params?: {} }
    'account.back.handle': { paramsTuple?: []; params?: {} }
    'account.back.address': { paramsTuple?: []; params?: {} }
    'account.back.address/:step': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'account.back.security': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.back.data': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.picture.pictures.store': { paramsTuple?: []; params?: {} }
    'assets.show': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'console.setup.create': { paramsTuple?: []; params?: {} }
    'console.setup.store': { paramsTuple?: []; params?: {} }
    'console.sign_in.from_console': { paramsTuple?: []; params?: {} }
    'console.dashboard.show': { paramsTuple?: []; params?: {} }
    'console.search.show': { paramsTuple?: []; params?: {} }
    'console.system.show': { paramsTuple?: []; params?: {} }
    'console.plots.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.checklist.docs': { paramsTuple?: []; params?: {} }
    'console.checklist.skip': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'console.checklist.dismiss': { paramsTuple?: []; params?: {} }
    'console.sessions.index': { paramsTuple?: []; params?: {} }
    'console.sessions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'userId': ParamValue,'sessionId': ParamValue} }
    'console.audit.index': { paramsTuple?: []; params?: {} }
    'console.audit.verify': { paramsTuple?: []; params?: {} }
    'console.audit.verify.back': { paramsTuple?: []; params?: {} }
    'console.mails.index': { paramsTuple?: []; params?: {} }
    'console.checklist.mail': { paramsTuple?: []; params?: {} }
    'console.mails.test.back': { paramsTuple?: []; params?: {} }
    'console.mails.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.mails.read.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.mails.retry': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.outbound.resume': { paramsTuple?: []; params?: {} }
    'console.outbound.resume.back': { paramsTuple?: []; params?: {} }
    'console.settings.index': { paramsTuple?: []; params?: {} }
    'console.settings.picture': { paramsTuple?: []; params?: {} }
    'console.settings.preview': { paramsTuple?: []; params?: {} }
    'console.settings.test_mail': { paramsTuple?: []; params?: {} }
    'console.settings.remove_logo': { paramsTuple?: []; params?: {} }
    'console.external_providers.store': { paramsTuple?: []; params?: {} }
    'console.external_providers.test': { paramsTuple?: []; params?: {} }
    'console.external_providers.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.update': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.test_change': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.delete': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.destroy': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.settings.update': { paramsTuple: [ParamValue]; params: {'card': ParamValue} }
    'console.settings.back': { paramsTuple: [ParamValue]; params: {'card': ParamValue} }
    'console.settings.action.back': { paramsTuple: [ParamValue,ParamValue]; params: {'card': ParamValue,'action': ParamValue} }
    'console.keys.index': { paramsTuple?: []; params?: {} }
    'console.keys.ask_to_rotate': { paramsTuple?: []; params?: {} }
    'console.keys.ask_to_rotate_now': { paramsTuple?: []; params?: {} }
    'console.keys.rotate': { paramsTuple?: []; params?: {} }
    'console.keys.rotate_now': { paramsTuple?: []; params?: {} }
    'console.keys.revoke': { paramsTuple: [ParamValue]; params: {'kid': ParamValue} }
    'console.keys.back': { paramsTuple: [ParamValue]; params: {'what': ParamValue} }
    'console.clients.index': { paramsTuple?: []; params?: {} }
    'console.clients.store': { paramsTuple?: []; params?: {} }
    'console.clients.create': { paramsTuple?: []; params?: {} }
    'console.clients.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.access.of_client': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.access.of_user': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.rotate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_logos.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.logo.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_refusals.back': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'setting': ParamValue} }
    'console.client_refusals.store': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'setting': ParamValue} }
    'console.clients.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_documents.destroy': { paramsTuple?: []; params?: {} }
    'console.client_documents.delete.back': { paramsTuple?: []; params?: {} }
    'console.groups.index': { paramsTuple?: []; params?: {} }
    'console.groups.store': { paramsTuple?: []; params?: {} }
    'console.groups.create': { paramsTuple?: []; params?: {} }
    'console.groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.members.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.group_members.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.group_members.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'userId': ParamValue} }
    'console.users.groups.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_groups.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_groups.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'groupId': ParamValue} }
    'console.webhooks.index': { paramsTuple?: []; params?: {} }
    'console.webhooks.store': { paramsTuple?: []; params?: {} }
    'console.webhooks.create': { paramsTuple?: []; params?: {} }
    'console.webhooks.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.rotate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhook_deliveries.test': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhook_deliveries.replay': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhook_deliveries.retry': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'console.webhooks.test.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.replay.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.retry.back': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'console.users.index': { paramsTuple?: []; params?: {} }
    'console.users.store': { paramsTuple?: []; params?: {} }
    'console.user_export.show': { paramsTuple?: []; params?: {} }
    'console.users.create': { paramsTuple?: []; params?: {} }
    'console.service_accounts.create': { paramsTuple?: []; params?: {} }
    'console.service_accounts.store': { paramsTuple?: []; params?: {} }
    'console.invitations.create': { paramsTuple?: []; params?: {} }
    'console.invitations.store': { paramsTuple?: []; params?: {} }
    'console.users.bulk.back': { paramsTuple?: []; params?: {} }
    'console.bulk.create': { paramsTuple?: []; params?: {} }
    'console.bulk.store': { paramsTuple?: []; params?: {} }
    'console.user.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_identities.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'provider': ParamValue} }
    'console.user_passkeys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'passkeyId': ParamValue} }
    'console.user_devices.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deviceId': ParamValue} }
    'console.pending_emails.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_applications.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_sessions.destroy_all': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_sessions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'sessionId': ParamValue} }
    'console.api_keys.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.api_keys.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.api_keys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'keyId': ParamValue} }
    'console.invitations.resend': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.invitations.revoke': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_locks.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_verifications.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_locks.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_disablings.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_disablings.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_password_resets.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_passwords.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_passwords.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_mfa.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.profile.show': { paramsTuple?: []; params?: {} }
    'console.account.profile.update': { paramsTuple?: []; params?: {} }
    'console.account.pictures.destroy': { paramsTuple?: []; params?: {} }
    'console.account.handles.update': { paramsTuple?: []; params?: {} }
    'console.account.addresses.update': { paramsTuple?: []; params?: {} }
    'console.account.addresses.resend': { paramsTuple?: []; params?: {} }
    'console.account.addresses.withdraw': { paramsTuple?: []; params?: {} }
    'console.account.security.show': { paramsTuple?: []; params?: {} }
    'console.account.passwords.update': { paramsTuple?: []; params?: {} }
    'console.account.passwords.begin': { paramsTuple?: []; params?: {} }
    'console.account.mfa.setup': { paramsTuple?: []; params?: {} }
    'console.account.mfa.enable': { paramsTuple?: []; params?: {} }
    'console.account.mfa.show_codes': { paramsTuple?: []; params?: {} }
    'console.account.mfa.renew_codes': { paramsTuple?: []; params?: {} }
    'console.account.mfa.disable': { paramsTuple?: []; params?: {} }
    'console.account.devices.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.passkeys.create': { paramsTuple?: []; params?: {} }
    'console.account.passkeys.store': { paramsTuple?: []; params?: {} }
    'console.account.passkeys.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.passkeys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.providers.link': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.providers.linked': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.providers.unlink': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.api_keys.show': { paramsTuple?: []; params?: {} }
    'console.account.api_keys.store': { paramsTuple?: []; params?: {} }
    'console.account.api_keys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.sessions.index': { paramsTuple?: []; params?: {} }
    'console.account.sessions.destroy_others': { paramsTuple?: []; params?: {} }
    'console.account.sessions.destroy_all': { paramsTuple?: []; params?: {} }
    'console.account.sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.activity.index': { paramsTuple?: []; params?: {} }
    'console.account.applications.index': { paramsTuple?: []; params?: {} }
    'console.account.applications.destroy': { paramsTuple?: []; params?: {} }
    'console.account.data.show': { paramsTuple?: []; params?: {} }
    'console.account.data.begin': { paramsTuple?: []; params?: {} }
    'console.account.data.export': { paramsTuple?: []; params?: {} }
    'console.account.deletions.create': { paramsTuple?: []; params?: {} }
    'console.account.deletions.store': { paramsTuple?: []; params?: {} }
    'console.account.back.picture': { paramsTuple?: []; params?: {} }
    'console.account.back.handle': { paramsTuple?: []; params?: {} }
    'console.account.back.address': { paramsTuple?: []; params?: {} }
    'console.account.back.address/:step': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'console.account.back.security': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'console.account.back.data': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'console.picture.pictures.store': { paramsTuple?: []; params?: {} }
    'console.logo.client_logos.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.brand.settings.store_logo': { paramsTuple?: []; params?: {} }
    'sign_in.create': { paramsTuple?: []; params?: {} }
    'sign_in.store': { paramsTuple?: []; params?: {} }
    'sign_in.verify': { paramsTuple?: []; params?: {} }
    'verification_requests.create': { paramsTuple?: []; params?: {} }
    'verification_requests.store': { paramsTuple?: []; params?: {} }
    'passkeys.sign_in': { paramsTuple?: []; params?: {} }
    'sign_in.passkey.back': { paramsTuple?: []; params?: {} }
    'passkeys.verify': { paramsTuple?: []; params?: {} }
    'sign_in.code_passkey.back': { paramsTuple?: []; params?: {} }
    'sign_in.code.back': { paramsTuple?: []; params?: {} }
    'sign_in.password': { paramsTuple?: []; params?: {} }
    'sign_in.password.store': { paramsTuple?: []; params?: {} }
    'external_sign_ins.show': { paramsTuple?: []; params?: {} }
    'sign_out.create': { paramsTuple?: []; params?: {} }
    'sign_out.destroy': { paramsTuple?: []; params?: {} }
    'confirmations.create': { paramsTuple?: []; params?: {} }
    'confirmations.store': { paramsTuple?: []; params?: {} }
    'passkeys.confirm': { paramsTuple?: []; params?: {} }
    'confirm.passkey.back': { paramsTuple?: []; params?: {} }
    'sign_up.create': { paramsTuple?: []; params?: {} }
    'sign_up.store': { paramsTuple?: []; params?: {} }
    'forgotten_passwords.create': { paramsTuple?: []; params?: {} }
    'forgotten_passwords.store': { paramsTuple?: []; params?: {} }
    'home.show': { paramsTuple?: []; params?: {} }
    'pages.reset_password': { paramsTuple?: []; params?: {} }
    'pages.reset_password.store': { paramsTuple?: []; params?: {} }
    'pages.accept_invitation': { paramsTuple?: []; params?: {} }
    'pages.accept_invitation.store': { paramsTuple?: []; params?: {} }
    'verifications.create': { paramsTuple?: []; params?: {} }
    'verifications.store': { paramsTuple?: []; params?: {} }
    'verifications.decline': { paramsTuple?: []; params?: {} }
    'address_links.create': { paramsTuple?: []; params?: {} }
    'address_links.store': { paramsTuple?: []; params?: {} }
    'address_links.decline': { paramsTuple?: []; params?: {} }
    'email_changes.create': { paramsTuple?: []; params?: {} }
    'email_changes.destroy': { paramsTuple?: []; params?: {} }
    'sign_in_reports.create': { paramsTuple?: []; params?: {} }
    'sign_in_reports.store': { paramsTuple?: []; params?: {} }
    'posted_authorizations.store': { paramsTuple?: []; params?: {} }
    'posted_logouts.store': { paramsTuple?: []; params?: {} }
    'interactions.show': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'interactions.store': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth_failures.show': { paramsTuple?: []; params?: {} }
    'posted_answers.show': { paramsTuple?: []; params?: {} }
    'logouts.show': { paramsTuple?: []; params?: {} }
    'logouts.destroy': { paramsTuple?: []; params?: {} }
    'device_codes.create': { paramsTuple?: []; params?: {} }
    'device_codes.show': { paramsTuple?: []; params?: {} }
    'device_codes.store': { paramsTuple?: []; params?: {} }
    'oauth/interaction/:uid/address.code': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.resend': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.change': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.back': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.step.back': { paramsTuple: [ParamValue,ParamValue]; params: {'uid': ParamValue,'step': ParamValue} }
    'oauth/device/address.code': { paramsTuple?: []; params?: {} }
    'oauth/device/address.resend': { paramsTuple?: []; params?: {} }
    'oauth/device/address.change': { paramsTuple?: []; params?: {} }
    'oauth/device/address.back': { paramsTuple?: []; params?: {} }
    'oauth/device/address.step.back': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'docs.show': { paramsTuple?: []; params?: {} }
    'docs.json': { paramsTuple?: []; params?: {} }
    'docs.file': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
  }
  POST: {
    'auth.register': { paramsTuple?: []; params?: {} }
    'auth.login': { paramsTuple?: []; params?: {} }
    'auth.refresh': { paramsTuple?: []; params?: {} }
    'mfa.verify': { paramsTuple?: []; params?: {} }
    'passkey_logins.options': { paramsTuple?: []; params?: {} }
    'passkey_logins.store': { paramsTuple?: []; params?: {} }
    'recovery.forgot_password': { paramsTuple?: []; params?: {} }
    'recovery.reset_password': { paramsTuple?: []; params?: {} }
    'verification.verify': { paramsTuple?: []; params?: {} }
    'verification.resend': { paramsTuple?: []; params?: {} }
    'profile.export_reauthenticated': { paramsTuple?: []; params?: {} }
    'credentials.change_password': { paramsTuple?: []; params?: {} }
    'credentials.revoke': { paramsTuple?: []; params?: {} }
    'sessions.logout': { paramsTuple?: []; params?: {} }
    'sessions.logout_all': { paramsTuple?: []; params?: {} }
    'mfa.setup': { paramsTuple?: []; params?: {} }
    'mfa.enable': { paramsTuple?: []; params?: {} }
    'mfa.renew_backup_codes': { paramsTuple?: []; params?: {} }
    'mfa.disable': { paramsTuple?: []; params?: {} }
    'passkeys.options': { paramsTuple?: []; params?: {} }
    'passkeys.store': { paramsTuple?: []; params?: {} }
    'api_keys.store': { paramsTuple?: []; params?: {} }
    'external.exchange': { paramsTuple?: []; params?: {} }
    'external.link': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'avatars.store': { paramsTuple?: []; params?: {} }
    'users.store': { paramsTuple?: []; params?: {} }
    'user_actions.unlock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.lock': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.reset_mfa': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.send_password_reset': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_keys.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'groups.store': { paramsTuple?: []; params?: {} }
    'introspection.store': { paramsTuple?: []; params?: {} }
    'oauth_clients.store': { paramsTuple?: []; params?: {} }
    'oauth_clients.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.store': { paramsTuple?: []; params?: {} }
    'webhooks.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.test': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.replay': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhook_deliveries.retry': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'external_providers.store': { paramsTuple?: []; params?: {} }
    'external_providers.test': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.profile.update': { paramsTuple?: []; params?: {} }
    'account.pictures.destroy': { paramsTuple?: []; params?: {} }
    'account.handles.update': { paramsTuple?: []; params?: {} }
    'account.addresses.update': { paramsTuple?: []; params?: {} }
    'account.addresses.resend': { paramsTuple?: []; params?: {} }
    'account.addresses.withdraw': { paramsTuple?: []; params?: {} }
    'account.passwords.update': { paramsTuple?: []; params?: {} }
    'account.passwords.begin': { paramsTuple?: []; params?: {} }
    'account.mfa.setup': { paramsTuple?: []; params?: {} }
    'account.mfa.enable': { paramsTuple?: []; params?: {} }
    'account.mfa.renew_codes': { paramsTuple?: []; params?: {} }
    'account.mfa.disable': { paramsTuple?: []; params?: {} }
    'account.devices.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.passkeys.create': { paramsTuple?: []; params?: {} }
    'account.passkeys.store': { paramsTuple?: []; params?: {} }
    'account.passkeys.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.passkeys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.providers.link': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.providers.unlink': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.api_keys.store': { paramsTuple?: []; params?: {} }
    'account.api_keys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.sessions.destroy_others': { paramsTuple?: []; params?: {} }
    'account.sessions.destroy_all': { paramsTuple?: []; params?: {} }
    'account.sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'account.applications.destroy': { paramsTuple?: []; params?: {} }
    'account.data.begin': { paramsTuple?: []; params?: {} }
    'account.data.export': { paramsTuple?: []; params?: {} }
    'account.deletions.store': { paramsTuple?: []; params?: {} }
    'account.picture.pictures.store': { paramsTuple?: []; params?: {} }
    'console.setup.store': { paramsTuple?: []; params?: {} }
    'console.checklist.docs': { paramsTuple?: []; params?: {} }
    'console.checklist.skip': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'console.checklist.dismiss': { paramsTuple?: []; params?: {} }
    'console.sessions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'userId': ParamValue,'sessionId': ParamValue} }
    'console.audit.verify': { paramsTuple?: []; params?: {} }
    'console.checklist.mail': { paramsTuple?: []; params?: {} }
    'console.mails.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.mails.retry': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.outbound.resume': { paramsTuple?: []; params?: {} }
    'console.settings.preview': { paramsTuple?: []; params?: {} }
    'console.settings.test_mail': { paramsTuple?: []; params?: {} }
    'console.settings.remove_logo': { paramsTuple?: []; params?: {} }
    'console.external_providers.store': { paramsTuple?: []; params?: {} }
    'console.external_providers.test': { paramsTuple?: []; params?: {} }
    'console.external_providers.update': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.test_change': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.destroy': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.settings.update': { paramsTuple: [ParamValue]; params: {'card': ParamValue} }
    'console.keys.rotate': { paramsTuple?: []; params?: {} }
    'console.keys.rotate_now': { paramsTuple?: []; params?: {} }
    'console.keys.revoke': { paramsTuple: [ParamValue]; params: {'kid': ParamValue} }
    'console.clients.store': { paramsTuple?: []; params?: {} }
    'console.clients.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_logos.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_refusals.store': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'setting': ParamValue} }
    'console.clients.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_documents.destroy': { paramsTuple?: []; params?: {} }
    'console.groups.store': { paramsTuple?: []; params?: {} }
    'console.groups.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.group_members.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.group_members.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'userId': ParamValue} }
    'console.user_groups.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_groups.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'groupId': ParamValue} }
    'console.webhooks.store': { paramsTuple?: []; params?: {} }
    'console.webhooks.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.rotate_secret': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhook_deliveries.test': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhook_deliveries.replay': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhook_deliveries.retry': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'console.users.store': { paramsTuple?: []; params?: {} }
    'console.service_accounts.store': { paramsTuple?: []; params?: {} }
    'console.invitations.store': { paramsTuple?: []; params?: {} }
    'console.bulk.create': { paramsTuple?: []; params?: {} }
    'console.bulk.store': { paramsTuple?: []; params?: {} }
    'console.user.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_identities.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'provider': ParamValue} }
    'console.user_passkeys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'passkeyId': ParamValue} }
    'console.user_devices.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deviceId': ParamValue} }
    'console.pending_emails.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_applications.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_sessions.destroy_all': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_sessions.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'sessionId': ParamValue} }
    'console.api_keys.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.api_keys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'keyId': ParamValue} }
    'console.invitations.resend': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.invitations.revoke': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_locks.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_verifications.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_locks.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_disablings.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_disablings.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_password_resets.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_passwords.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_mfa.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.profile.update': { paramsTuple?: []; params?: {} }
    'console.account.pictures.destroy': { paramsTuple?: []; params?: {} }
    'console.account.handles.update': { paramsTuple?: []; params?: {} }
    'console.account.addresses.update': { paramsTuple?: []; params?: {} }
    'console.account.addresses.resend': { paramsTuple?: []; params?: {} }
    'console.account.addresses.withdraw': { paramsTuple?: []; params?: {} }
    'console.account.passwords.update': { paramsTuple?: []; params?: {} }
    'console.account.passwords.begin': { paramsTuple?: []; params?: {} }
    'console.account.mfa.setup': { paramsTuple?: []; params?: {} }
    'console.account.mfa.enable': { paramsTuple?: []; params?: {} }
    'console.account.mfa.renew_codes': { paramsTuple?: []; params?: {} }
    'console.account.mfa.disable': { paramsTuple?: []; params?: {} }
    'console.account.devices.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.passkeys.create': { paramsTuple?: []; params?: {} }
    'console.account.passkeys.store': { paramsTuple?: []; params?: {} }
    'console.account.passkeys.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.passkeys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.providers.link': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.providers.unlink': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.api_keys.store': { paramsTuple?: []; params?: {} }
    'console.account.api_keys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.sessions.destroy_others': { paramsTuple?: []; params?: {} }
    'console.account.sessions.destroy_all': { paramsTuple?: []; params?: {} }
    'console.account.sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.applications.destroy': { paramsTuple?: []; params?: {} }
    'console.account.data.begin': { paramsTuple?: []; params?: {} }
    'console.account.data.export': { paramsTuple?: []; params?: {} }
    'console.account.deletions.store': { paramsTuple?: []; params?: {} }
    'console.picture.pictures.store': { paramsTuple?: []; params?: {} }
    'console.logo.client_logos.store': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.brand.settings.store_logo': { paramsTuple?: []; params?: {} }
    'sign_in.store': { paramsTuple?: []; params?: {} }
    'sign_in.verify': { paramsTuple?: []; params?: {} }
    'verification_requests.store': { paramsTuple?: []; params?: {} }
    'passkeys.sign_in': { paramsTuple?: []; params?: {} }
    'passkeys.verify': { paramsTuple?: []; params?: {} }
    'sign_in.password.store': { paramsTuple?: []; params?: {} }
    'sign_out.destroy': { paramsTuple?: []; params?: {} }
    'confirmations.store': { paramsTuple?: []; params?: {} }
    'passkeys.confirm': { paramsTuple?: []; params?: {} }
    'sign_up.store': { paramsTuple?: []; params?: {} }
    'forgotten_passwords.store': { paramsTuple?: []; params?: {} }
    'pages.reset_password.store': { paramsTuple?: []; params?: {} }
    'pages.accept_invitation.store': { paramsTuple?: []; params?: {} }
    'verifications.store': { paramsTuple?: []; params?: {} }
    'verifications.decline': { paramsTuple?: []; params?: {} }
    'address_links.store': { paramsTuple?: []; params?: {} }
    'address_links.decline': { paramsTuple?: []; params?: {} }
    'email_changes.destroy': { paramsTuple?: []; params?: {} }
    'sign_in_reports.store': { paramsTuple?: []; params?: {} }
    'posted_authorizations.store': { paramsTuple?: []; params?: {} }
    'posted_logouts.store': { paramsTuple?: []; params?: {} }
    'interactions.store': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'logouts.destroy': { paramsTuple?: []; params?: {} }
    'device_codes.show': { paramsTuple?: []; params?: {} }
    'device_codes.store': { paramsTuple?: []; params?: {} }
    'oauth/interaction/:uid/address.code': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.resend': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.change': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/device/address.code': { paramsTuple?: []; params?: {} }
    'oauth/device/address.resend': { paramsTuple?: []; params?: {} }
    'oauth/device/address.change': { paramsTuple?: []; params?: {} }
  }
  GET: {
    'profile.show': { paramsTuple?: []; params?: {} }
    'profile.export': { paramsTuple?: []; params?: {} }
    'sessions.index': { paramsTuple?: []; params?: {} }
    'devices.index': { paramsTuple?: []; params?: {} }
    'audit.activity': { paramsTuple?: []; params?: {} }
    'passkeys.index': { paramsTuple?: []; params?: {} }
    'api_keys.index': { paramsTuple?: []; params?: {} }
    'external.identities': { paramsTuple?: []; params?: {} }
    'external.index': { paramsTuple?: []; params?: {} }
    'external.start': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'external.callback': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'avatars.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'users.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'users.index': { paramsTuple?: []; params?: {} }
    'users.index_after': { paramsTuple?: []; params?: {} }
    'audit.index': { paramsTuple?: []; params?: {} }
    'user_actions.sessions': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_passkeys.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_keys.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_groups.own': { paramsTuple?: []; params?: {} }
    'groups.index': { paramsTuple?: []; params?: {} }
    'groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'group_members.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'client_logos.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'oauth_clients.index': { paramsTuple?: []; params?: {} }
    'oauth_clients.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.refusals': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.preview': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.index': { paramsTuple?: []; params?: {} }
    'webhooks.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhook_deliveries.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'settings.index': { paramsTuple?: []; params?: {} }
    'external_providers.index': { paramsTuple?: []; params?: {} }
    'health.show': { paramsTuple?: []; params?: {} }
    'health.database': { paramsTuple?: []; params?: {} }
    'health.store': { paramsTuple?: []; params?: {} }
    'health.live': { paramsTuple?: []; params?: {} }
    'health.ready': { paramsTuple?: []; params?: {} }
    'metrics.show': { paramsTuple?: []; params?: {} }
    'public_keys.show': { paramsTuple?: []; params?: {} }
    'webfinger.show': { paramsTuple?: []; params?: {} }
    'related_origins.show': { paramsTuple?: []; params?: {} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.profile.show': { paramsTuple?: []; params?: {} }
    'account.security.show': { paramsTuple?: []; params?: {} }
    'account.mfa.show_codes': { paramsTuple?: []; params?: {} }
    'account.providers.linked': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.api_keys.show': { paramsTuple?: []; params?: {} }
    'account.sessions.index': { paramsTuple?: []; params?: {} }
    'account.activity.index': { paramsTuple?: []; params?: {} }
    'account.applications.index': { paramsTuple?: []; params?: {} }
    'account.data.show': { paramsTuple?: []; params?: {} }
    'account.deletions.create': { paramsTuple?: []; params?: {} }
    'account.back.picture': { paramsTuple?: []; params?: {} }
    'account.back.handle': { paramsTuple?: []; params?: {} }
    'account.back.address': { paramsTuple?: []; params?: {} }
    'account.back.address/:step': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'account.back.security': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.back.data': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'assets.show': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'console.setup.create': { paramsTuple?: []; params?: {} }
    'console.sign_in.from_console': { paramsTuple?: []; params?: {} }
    'console.dashboard.show': { paramsTuple?: []; params?: {} }
    'console.search.show': { paramsTuple?: []; params?: {} }
    'console.system.show': { paramsTuple?: []; params?: {} }
    'console.plots.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.sessions.index': { paramsTuple?: []; params?: {} }
    'console.audit.index': { paramsTuple?: []; params?: {} }
    'console.audit.verify.back': { paramsTuple?: []; params?: {} }
    'console.mails.index': { paramsTuple?: []; params?: {} }
    'console.mails.test.back': { paramsTuple?: []; params?: {} }
    'console.mails.read.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.outbound.resume.back': { paramsTuple?: []; params?: {} }
    'console.settings.index': { paramsTuple?: []; params?: {} }
    'console.settings.picture': { paramsTuple?: []; params?: {} }
    'console.external_providers.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.delete': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.settings.back': { paramsTuple: [ParamValue]; params: {'card': ParamValue} }
    'console.settings.action.back': { paramsTuple: [ParamValue,ParamValue]; params: {'card': ParamValue,'action': ParamValue} }
    'console.keys.index': { paramsTuple?: []; params?: {} }
    'console.keys.ask_to_rotate': { paramsTuple?: []; params?: {} }
    'console.keys.ask_to_rotate_now': { paramsTuple?: []; params?: {} }
    'console.keys.back': { paramsTuple: [ParamValue]; params: {'what': ParamValue} }
    'console.clients.index': { paramsTuple?: []; params?: {} }
    'console.clients.create': { paramsTuple?: []; params?: {} }
    'console.clients.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.access.of_client': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.access.of_user': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.rotate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.logo.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_refusals.back': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'setting': ParamValue} }
    'console.clients.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_documents.delete.back': { paramsTuple?: []; params?: {} }
    'console.groups.index': { paramsTuple?: []; params?: {} }
    'console.groups.create': { paramsTuple?: []; params?: {} }
    'console.groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.members.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.users.groups.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.index': { paramsTuple?: []; params?: {} }
    'console.webhooks.create': { paramsTuple?: []; params?: {} }
    'console.webhooks.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.rotate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.test.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.replay.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.retry.back': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'console.users.index': { paramsTuple?: []; params?: {} }
    'console.user_export.show': { paramsTuple?: []; params?: {} }
    'console.users.create': { paramsTuple?: []; params?: {} }
    'console.service_accounts.create': { paramsTuple?: []; params?: {} }
    'console.invitations.create': { paramsTuple?: []; params?: {} }
    'console.users.bulk.back': { paramsTuple?: []; params?: {} }
    'console.user.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.api_keys.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_passwords.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.profile.show': { paramsTuple?: []; params?: {} }
    'console.account.security.show': { paramsTuple?: []; params?: {} }
    'console.account.mfa.show_codes': { paramsTuple?: []; params?: {} }
    'console.account.providers.linked': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.api_keys.show': { paramsTuple?: []; params?: {} }
    'console.account.sessions.index': { paramsTuple?: []; params?: {} }
    'console.account.activity.index': { paramsTuple?: []; params?: {} }
    'console.account.applications.index': { paramsTuple?: []; params?: {} }
    'console.account.data.show': { paramsTuple?: []; params?: {} }
    'console.account.deletions.create': { paramsTuple?: []; params?: {} }
    'console.account.back.picture': { paramsTuple?: []; params?: {} }
    'console.account.back.handle': { paramsTuple?: []; params?: {} }
    'console.account.back.address': { paramsTuple?: []; params?: {} }
    'console.account.back.address/:step': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'console.account.back.security': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'console.account.back.data': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'sign_in.create': { paramsTuple?: []; params?: {} }
    'verification_requests.create': { paramsTuple?: []; params?: {} }
    'sign_in.passkey.back': { paramsTuple?: []; params?: {} }
    'sign_in.code_passkey.back': { paramsTuple?: []; params?: {} }
    'sign_in.code.back': { paramsTuple?: []; params?: {} }
    'sign_in.password': { paramsTuple?: []; params?: {} }
    'external_sign_ins.show': { paramsTuple?: []; params?: {} }
    'sign_out.create': { paramsTuple?: []; params?: {} }
    'confirmations.create': { paramsTuple?: []; params?: {} }
    'confirm.passkey.back': { paramsTuple?: []; params?: {} }
    'sign_up.create': { paramsTuple?: []; params?: {} }
    'forgotten_passwords.create': { paramsTuple?: []; params?: {} }
    'home.show': { paramsTuple?: []; params?: {} }
    'pages.reset_password': { paramsTuple?: []; params?: {} }
    'pages.accept_invitation': { paramsTuple?: []; params?: {} }
    'verifications.create': { paramsTuple?: []; params?: {} }
    'address_links.create': { paramsTuple?: []; params?: {} }
    'email_changes.create': { paramsTuple?: []; params?: {} }
    'sign_in_reports.create': { paramsTuple?: []; params?: {} }
    'interactions.show': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth_failures.show': { paramsTuple?: []; params?: {} }
    'posted_answers.show': { paramsTuple?: []; params?: {} }
    'logouts.show': { paramsTuple?: []; params?: {} }
    'device_codes.create': { paramsTuple?: []; params?: {} }
    'oauth/interaction/:uid/address.back': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.step.back': { paramsTuple: [ParamValue,ParamValue]; params: {'uid': ParamValue,'step': ParamValue} }
    'oauth/device/address.back': { paramsTuple?: []; params?: {} }
    'oauth/device/address.step.back': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'docs.show': { paramsTuple?: []; params?: {} }
    'docs.json': { paramsTuple?: []; params?: {} }
    'docs.file': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
  }
  HEAD: {
    'profile.show': { paramsTuple?: []; params?: {} }
    'profile.export': { paramsTuple?: []; params?: {} }
    'sessions.index': { paramsTuple?: []; params?: {} }
    'devices.index': { paramsTuple?: []; params?: {} }
    'audit.activity': { paramsTuple?: []; params?: {} }
    'passkeys.index': { paramsTuple?: []; params?: {} }
    'api_keys.index': { paramsTuple?: []; params?: {} }
    'external.identities': { paramsTuple?: []; params?: {} }
    'external.index': { paramsTuple?: []; params?: {} }
    'external.start': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'external.callback': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'avatars.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'users.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'users.index': { paramsTuple?: []; params?: {} }
    'users.index_after': { paramsTuple?: []; params?: {} }
    'audit.index': { paramsTuple?: []; params?: {} }
    'user_actions.sessions': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_passkeys.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_keys.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_groups.own': { paramsTuple?: []; params?: {} }
    'groups.index': { paramsTuple?: []; params?: {} }
    'groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'group_members.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'client_logos.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'oauth_clients.index': { paramsTuple?: []; params?: {} }
    'oauth_clients.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.refusals': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.preview': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.index': { paramsTuple?: []; params?: {} }
    'webhooks.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhook_deliveries.index': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'settings.index': { paramsTuple?: []; params?: {} }
    'external_providers.index': { paramsTuple?: []; params?: {} }
    'health.show': { paramsTuple?: []; params?: {} }
    'health.database': { paramsTuple?: []; params?: {} }
    'health.store': { paramsTuple?: []; params?: {} }
    'health.live': { paramsTuple?: []; params?: {} }
    'health.ready': { paramsTuple?: []; params?: {} }
    'metrics.show': { paramsTuple?: []; params?: {} }
    'public_keys.show': { paramsTuple?: []; params?: {} }
    'webfinger.show': { paramsTuple?: []; params?: {} }
    'related_origins.show': { paramsTuple?: []; params?: {} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.profile.show': { paramsTuple?: []; params?: {} }
    'account.security.show': { paramsTuple?: []; params?: {} }
    'account.mfa.show_codes': { paramsTuple?: []; params?: {} }
    'account.providers.linked': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'account.api_keys.show': { paramsTuple?: []; params?: {} }
    'account.sessions.index': { paramsTuple?: []; params?: {} }
    'account.activity.index': { paramsTuple?: []; params?: {} }
    'account.applications.index': { paramsTuple?: []; params?: {} }
    'account.data.show': { paramsTuple?: []; params?: {} }
    'account.deletions.create': { paramsTuple?: []; params?: {} }
    'account.back.picture': { paramsTuple?: []; params?: {} }
    'account.back.handle': { paramsTuple?: []; params?: {} }
    'account.back.address': { paramsTuple?: []; params?: {} }
    'account.back.address/:step': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'account.back.security': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'account.back.data': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'assets.show': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
    'console.setup.create': { paramsTuple?: []; params?: {} }
    'console.sign_in.from_console': { paramsTuple?: []; params?: {} }
    'console.dashboard.show': { paramsTuple?: []; params?: {} }
    'console.search.show': { paramsTuple?: []; params?: {} }
    'console.system.show': { paramsTuple?: []; params?: {} }
    'console.plots.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.sessions.index': { paramsTuple?: []; params?: {} }
    'console.audit.index': { paramsTuple?: []; params?: {} }
    'console.audit.verify.back': { paramsTuple?: []; params?: {} }
    'console.mails.index': { paramsTuple?: []; params?: {} }
    'console.mails.test.back': { paramsTuple?: []; params?: {} }
    'console.mails.read.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.outbound.resume.back': { paramsTuple?: []; params?: {} }
    'console.settings.index': { paramsTuple?: []; params?: {} }
    'console.settings.picture': { paramsTuple?: []; params?: {} }
    'console.external_providers.show': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.external_providers.delete': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'console.settings.back': { paramsTuple: [ParamValue]; params: {'card': ParamValue} }
    'console.settings.action.back': { paramsTuple: [ParamValue,ParamValue]; params: {'card': ParamValue,'action': ParamValue} }
    'console.keys.index': { paramsTuple?: []; params?: {} }
    'console.keys.ask_to_rotate': { paramsTuple?: []; params?: {} }
    'console.keys.ask_to_rotate_now': { paramsTuple?: []; params?: {} }
    'console.keys.back': { paramsTuple: [ParamValue]; params: {'what': ParamValue} }
    'console.clients.index': { paramsTuple?: []; params?: {} }
    'console.clients.create': { paramsTuple?: []; params?: {} }
    'console.clients.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.access.of_client': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.access.of_user': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.rotate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.clients.logo.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_refusals.back': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'setting': ParamValue} }
    'console.clients.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.client_documents.delete.back': { paramsTuple?: []; params?: {} }
    'console.groups.index': { paramsTuple?: []; params?: {} }
    'console.groups.create': { paramsTuple?: []; params?: {} }
    'console.groups.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.groups.members.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.users.groups.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.index': { paramsTuple?: []; params?: {} }
    'console.webhooks.create': { paramsTuple?: []; params?: {} }
    'console.webhooks.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.rotate': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.test.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.replay.back': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.webhooks.retry.back': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'deliveryId': ParamValue} }
    'console.users.index': { paramsTuple?: []; params?: {} }
    'console.user_export.show': { paramsTuple?: []; params?: {} }
    'console.users.create': { paramsTuple?: []; params?: {} }
    'console.service_accounts.create': { paramsTuple?: []; params?: {} }
    'console.invitations.create': { paramsTuple?: []; params?: {} }
    'console.users.bulk.back': { paramsTuple?: []; params?: {} }
    'console.user.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user.delete': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.api_keys.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.user_passwords.show': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'console.account.profile.show': { paramsTuple?: []; params?: {} }
    'console.account.security.show': { paramsTuple?: []; params?: {} }
    'console.account.mfa.show_codes': { paramsTuple?: []; params?: {} }
    'console.account.providers.linked': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'console.account.api_keys.show': { paramsTuple?: []; params?: {} }
    'console.account.sessions.index': { paramsTuple?: []; params?: {} }
    'console.account.activity.index': { paramsTuple?: []; params?: {} }
    'console.account.applications.index': { paramsTuple?: []; params?: {} }
    'console.account.data.show': { paramsTuple?: []; params?: {} }
    'console.account.deletions.create': { paramsTuple?: []; params?: {} }
    'console.account.back.picture': { paramsTuple?: []; params?: {} }
    'console.account.back.handle': { paramsTuple?: []; params?: {} }
    'console.account.back.address': { paramsTuple?: []; params?: {} }
    'console.account.back.address/:step': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'console.account.back.security': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'console.account.back.data': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
    'sign_in.create': { paramsTuple?: []; params?: {} }
    'verification_requests.create': { paramsTuple?: []; params?: {} }
    'sign_in.passkey.back': { paramsTuple?: []; params?: {} }
    'sign_in.code_passkey.back': { paramsTuple?: []; params?: {} }
    'sign_in.code.back': { paramsTuple?: []; params?: {} }
    'sign_in.password': { paramsTuple?: []; params?: {} }
    'external_sign_ins.show': { paramsTuple?: []; params?: {} }
    'sign_out.create': { paramsTuple?: []; params?: {} }
    'confirmations.create': { paramsTuple?: []; params?: {} }
    'confirm.passkey.back': { paramsTuple?: []; params?: {} }
    'sign_up.create': { paramsTuple?: []; params?: {} }
    'forgotten_passwords.create': { paramsTuple?: []; params?: {} }
    'home.show': { paramsTuple?: []; params?: {} }
    'pages.reset_password': { paramsTuple?: []; params?: {} }
    'pages.accept_invitation': { paramsTuple?: []; params?: {} }
    'verifications.create': { paramsTuple?: []; params?: {} }
    'address_links.create': { paramsTuple?: []; params?: {} }
    'email_changes.create': { paramsTuple?: []; params?: {} }
    'sign_in_reports.create': { paramsTuple?: []; params?: {} }
    'interactions.show': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth_failures.show': { paramsTuple?: []; params?: {} }
    'posted_answers.show': { paramsTuple?: []; params?: {} }
    'logouts.show': { paramsTuple?: []; params?: {} }
    'device_codes.create': { paramsTuple?: []; params?: {} }
    'oauth/interaction/:uid/address.back': { paramsTuple: [ParamValue]; params: {'uid': ParamValue} }
    'oauth/interaction/:uid/address.step.back': { paramsTuple: [ParamValue,ParamValue]; params: {'uid': ParamValue,'step': ParamValue} }
    'oauth/device/address.back': { paramsTuple?: []; params?: {} }
    'oauth/device/address.step.back': { paramsTuple: [ParamValue]; params: {'step': ParamValue} }
    'docs.show': { paramsTuple?: []; params?: {} }
    'docs.json': { paramsTuple?: []; params?: {} }
    'docs.file': { paramsTuple: [ParamValue]; params: {'file': ParamValue} }
  }
  PUT: {
    'profile.update': { paramsTuple?: []; params?: {} }
    'users.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'groups.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'group_members.update': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'userId': ParamValue} }
    'user_groups.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'client_logos.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'oauth_clients.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'settings.store_logo': { paramsTuple?: []; params?: {} }
    'external_providers.update': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  DELETE: {
    'profile.destroy': { paramsTuple?: []; params?: {} }
    'sessions.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'devices.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'passkeys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'api_keys.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'external.unlink': { paramsTuple: [ParamValue]; params: {'provider': ParamValue} }
    'avatars.destroy': { paramsTuple?: []; params?: {} }
    'users.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.end_sessions': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'user_actions.end_session': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'sessionId': ParamValue} }
    'user_passkeys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'passkeyId': ParamValue} }
    'user_keys.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'keyId': ParamValue} }
    'groups.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'group_members.destroy': { paramsTuple: [ParamValue,ParamValue]; params: {'id': ParamValue,'userId': ParamValue} }
    'oauth_clients.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'client_logos.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'webhooks.destroy': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'external_providers.destroy': { paramsTuple: [ParamValue]; params: {'name': ParamValue} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  PATCH: {
    'passkeys.update': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'users.change_password': { paramsTuple: [ParamValue]; params: {'id': ParamValue} }
    'settings.update': { paramsTuple?: []; params?: {} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
  OPTIONS: {
    'public_keys.preflight': { paramsTuple?: []; params?: {} }
    'webfinger.preflight': { paramsTuple?: []; params?: {} }
    'versions.refuse': { paramsTuple: [...ParamValue[]]; params: {'*': ParamValue[]} }
  }
}
declare module '@adonisjs/core/types/http' {
  export interface RoutesList extends ScannedRoutes {}
}