/*
 | The columns of each kept table that an archive without encryption shows. A new column is added
 | here, or to `secret` or `without` of its table (`app/backup/tables.ts`), after a decision.
 */

const of = (columns: string) => columns.trim().split(/\s+/)

export const OPEN_COLUMNS: Record<string, string[]> = {
  installation: of('id completed_at docs_opened_at checklist_dismissed_at skipped_steps'),
  users: of(`id kind email email_verified_at email_changed_at username nickname locale
    password_changed_at must_change_password role avatar provider provider_id mfa_enabled
    mfa_enabled_at mfa_last_step mfa_failures mfa_locked_until mfa_abandoned_at locked_until
    lock_kind disabled_at disabled_reason last_login_at created_at updated_at invited_at
    passkey_handle passkey_count handle handle_received_at group_ids metadata app_metadata`),
  handles: of('hash user_id'),
  identities: of(
    'id user_id provider issuer subject email created_at last_used_at linked_by_owner'
  ),
  avatars: of('name user_id image created_at'),
  known_devices: of(`user_id fingerprint first_seen_at device_name ip last_sign_in_at
    password_changed_at expires_at`),
  passkeys: of(`id user_id credential_id public_key counter transports device_type backed_up aaguid
    name created_at last_used_at counter_refused_at`),
  groups: of('id name name_key title description created_at updated_at'),
  group_members: of('user_id group_id source added_at'),
  group_deletions: of('group_id requested_at'),
  provider_memberships: of('user_id provider seen_at'),
  oauth_clients: of(`id client_id name kind redirect_uris post_logout_redirect_uris grant_types
    scopes token_endpoint_auth_method backchannel_logout_uri service_account_id former_secret_until
    created_at updated_at require_pkce id_token_claims allow_http require_verified_email require_par
    require_dpop jwks jwks_uri home_url id_token_algorithm refresh_tokens refresh_token_ttl logo
    claims allowed_groups access require_mfa`),
  /** Rows that contain a secret are left out completely. */
  settings: of('key value version updated_by updated_at'),
  external_providers: of('name issuer client_id version updated_by updated_at'),
  oauth_client_logos: of('id name image'),
  managed_records: of('kind record_id file source made_by fields at_start applied_at'),
  client_deletions: of('client_id backchannel_logout_uri requested_at id_token_algorithm'),
  oauth_consents: of('id user_id client_id created_at updated_at'),
  oauth_consent_scopes: of('consent_id resource scope'),
  /** The secret is encrypted under `APP_KEY`. */
  audit_keys: of('id user_id month secret created_at'),
  audit_erasures: of('key_id user_id month'),
  audit_events: of(`id occurred_at action outcome actor actor_id target_id details origin_key origin
    personal_key personal mac sequence hash ip_hash email_hash`),
  audit_chain: of('id sequence hash checkpoint_sequence checkpoint_hash seal'),
}
