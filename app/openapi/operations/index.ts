import { oauthOperations } from './oauth.ts'
import { clientLogoOperations } from './client_logos.ts'
import { oauthClientOperations } from './oauth_clients.ts'
import { profileOperations } from './profile.ts'
import { apiKeyOperations } from './api_keys.ts'
import { introspectionOperations } from './introspection.ts'
import { activityOperations, auditOperations } from './audit.ts'
import { authOperations } from './auth.ts'
import { deviceOperations } from './devices.ts'
import { externalOperations } from './external.ts'
import { groupOperations } from './groups.ts'
import { memberOperations } from './group_members.ts'
import { healthOperations } from './health.ts'
import { identityOperations } from './identities.ts'
import { keyOperations } from './keys.ts'
import { mfaOperations } from './mfa.ts'
import { passkeyOperations } from './passkeys.ts'
import { passkeyLoginOperations } from './passkey_logins.ts'
import { recoveryOperations } from './recovery.ts'
import { providerOperations } from './external_providers.ts'
import { settingOperations } from './settings.ts'
import { sessionOperations } from './sessions.ts'
import { avatarOperations } from './avatars.ts'
import { userActionOperations } from './user_actions.ts'
import { userOperations } from './users.ts'
import { webfingerOperations } from './webfinger.ts'
import { deliveryOperations } from './webhook_deliveries.ts'
import { webhookOperations } from './webhooks.ts'
import type { Tag } from '../operation.ts'

/**
 * `/api-docs` shows this order: sign-in, own account, administration, operation. A route that is
 * missing here fails `tests/functional/openapi/document.spec.ts`.
 */
export const tags: Tag[] = [
  {
    name: 'auth',
    description: 'Registration, login, refresh and the account of the caller',
    operations: {
      ...authOperations,
      ...profileOperations,
      ...activityOperations,
      ...keyOperations,
    },
  },
  {
    name: 'mfa',
    description: 'The second factor: one-time codes and backup codes',
    operations: mfaOperations,
  },
  {
    name: 'passkeys',
    description: 'Login without a password, by WebAuthn, and the passkeys of an account',
    operations: { ...passkeyLoginOperations, ...passkeyOperations },
  },
  {
    name: 'external',
    description: 'Login through other providers, and the identities linked to an account',
    operations: { ...externalOperations, ...identityOperations },
  },
  {
    name: 'sessions',
    description: 'Sessions and known devices of the caller, logout and revoked tokens',
    operations: { ...sessionOperations, ...deviceOperations },
  },
  {
    name: 'api-keys',
    description: 'Keys with which scripts and services act for an account',
    operations: apiKeyOperations,
  },
  {
    name: 'recovery',
    description: 'Forgotten passwords and the verification of addresses, by mail',
    operations: recoveryOperations,
  },
  {
    name: 'users',
    description: 'Accounts and their administration',
    operations: { ...userOperations, ...userActionOperations, ...avatarOperations },
  },
  {
    name: 'groups',
    description: 'Groups of accounts, which applications learn',
    operations: { ...groupOperations, ...memberOperations },
  },
  {
    name: 'oauth',
    description: 'OpenID Connect and OAuth 2.0, by which applications sign people in',
    operations: { ...oauthOperations, ...introspectionOperations, ...webfingerOperations },
  },
  {
    name: 'oauth-clients',
    description: 'Applications that people sign in to here, by OpenID Connect',
    operations: { ...oauthClientOperations, ...clientLogoOperations },
  },
  {
    name: 'webhooks',
    description: 'Endpoints of other systems that learn what happens here',
    operations: { ...webhookOperations, ...deliveryOperations },
  },
  {
    name: 'settings',
    description: 'Settings that need no restart, and external providers',
    operations: { ...settingOperations, ...providerOperations },
  },
  {
    name: 'audit',
    description: 'Who did what, on whom, when and from where',
    operations: auditOperations,
  },
  {
    name: 'health',
    description: 'What load balancers and operators ask',
    operations: healthOperations,
  },
]
