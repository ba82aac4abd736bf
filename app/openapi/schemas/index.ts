import { apiKey, newApiKey } from './api_key.ts'
import { auditEvent } from './audit_event.ts'
import { device } from './device.ts'
import { error } from './error.ts'
import { group, groupMember } from './group.ts'
import { identity } from './identity.ts'
import { passkey } from './passkey.ts'
import { clientPreview, clientRefusal, oauthClient, registeredClient } from './oauth_client.ts'
import { oauthError, oauthTokens } from './oauth.ts'
import { probe } from './probe.ts'
import { profileExport } from './profile_export.ts'
import { externalProvider, setting } from './setting.ts'
import { session } from './session.ts'
import { activeKey, activeToken, inactiveToken, login, refresh } from './tokens.ts'
import { listedUser, user, userForAdmins, userForApplication } from './user.ts'
import { newWebhook, webhook, webhookDelivery } from './webhook.ts'
import { webhookEvents } from './webhook_event.ts'
import type { Schema } from '../schema.ts'

/*
 | The transformers write these fields. The functional tests validate every response by these
 | schemas (`tests/support/contract.ts`).
 */

/** `ref` refers to these names. */
export const records: Record<string, Schema> = {
  User: user,
  UserForAdmins: userForAdmins,
  UserForApplication: userForApplication,
  ListedUser: listedUser,
  Session: session,
  Device: device,
  LoginResponse: login,
  RefreshResponse: refresh,
  ActiveToken: activeToken,
  ActiveKey: activeKey,
  InactiveToken: inactiveToken,
  Identity: identity,
  Passkey: passkey,
  ApiKey: apiKey,
  NewApiKey: newApiKey,
  OAuthClient: oauthClient,
  RegisteredClient: registeredClient,
  ClientRefusal: clientRefusal,
  ClientPreview: clientPreview,
  Group: group,
  GroupMember: groupMember,
  Webhook: webhook,
  NewWebhook: newWebhook,
  WebhookDelivery: webhookDelivery,
  Setting: setting,
  ExternalProvider: externalProvider,
  AuditEvent: auditEvent,
  AccountExport: profileExport,
  Probe: probe,
  OAuthTokens: oauthTokens,
  OAuthError: oauthError,
  Error: error,
  ...webhookEvents,
}
