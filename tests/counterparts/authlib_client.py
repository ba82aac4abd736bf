"""
An application with Authlib, through what it does with an OpenID provider. It prints the address
that a browser has to open, reads the one that the browser came back to, and prints what it got.
"""

import json
import os

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url

ISSUER = os.environ["ISSUER"]
CLIENT_ID = os.environ["CLIENT_ID"]
CLIENT_SECRET = os.environ.get("CLIENT_SECRET")
AUTH_METHOD = os.environ["AUTH_METHOD"]


def new_session(**options):
    return OAuth2Session(
        CLIENT_ID,
        CLIENT_SECRET,
        token_endpoint_auth_method=AUTH_METHOD,
        revocation_endpoint_auth_method=AUTH_METHOD,
        code_challenge_method="S256",
        default_timeout=30,
        **options,
    )


def discover(session):
    document = session.get(get_well_known_url(ISSUER, external=True), withhold_token=True)
    metadata = OpenIDProviderMetadata(document.json())
    metadata.validate()
    assert metadata["issuer"] == ISSUER
    return metadata


def sign_in(session, metadata):
    verifier, nonce = generate_token(48), generate_token()
    url, state = session.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, prompt="consent"
    )
    print(url, flush=True)
    token = session.fetch_token(
        metadata["token_endpoint"],
        authorization_response=input(),
        state=state,
        code_verifier=verifier,
    )
    return verify_id_token(session, metadata, token, nonce)


def verify_id_token(session, metadata, token, nonce):
    keys = JsonWebKey.import_key_set(session.get(metadata["jwks_uri"], withhold_token=True).json())
    algorithms = metadata["id_token_signing_alg_values_supported"]
    expected = {
        "iss": {"essential": True, "value": ISSUER},
        "aud": {"essential": True, "value": CLIENT_ID},
    }
    claims = JsonWebToken(algorithms).decode(
        token["id_token"],
        keys,
        claims_cls=CodeIDToken,
        claims_options=expected,
        claims_params={"nonce": nonce, "access_token": token["access_token"]},
    )
    claims.validate(leeway=5)
    return claims


def is_active(session, metadata, token):
    answer = session.introspect_token(metadata["introspection_endpoint"], token=token)
    return answer.json()["active"]


def ask_as_machine(metadata):
    """What the API of the provider answers by client_credentials, within the scope and beyond it."""
    session = new_session(scope="users:read")
    session.fetch_token(
        metadata["token_endpoint"], grant_type="client_credentials", resource=ISSUER
    )
    return [session.get(f"{ISSUER}{path}").status_code for path in ("/users", "/auth/profile")]


def main():
    session = new_session(
        scope="openid email groups offline_access", redirect_uri=os.environ["REDIRECT_URI"]
    )
    metadata = discover(session)
    found = {"claims": sign_in(session, metadata)}
    userinfo = metadata["userinfo_endpoint"]
    found["userinfo"] = session.get(userinfo).json()
    former = session.token["access_token"]
    token = session.refresh_token(metadata["token_endpoint"])
    found["isRenewed"] = token["access_token"] != former
    found["renewed"] = session.get(userinfo).json()
    if CLIENT_SECRET:
        found["isActive"] = is_active(session, metadata, token["access_token"])
    session.revoke_token(metadata["revocation_endpoint"], token=token["refresh_token"])
    found["afterRevocation"] = session.get(userinfo).status_code
    if CLIENT_SECRET:
        found["isActiveAfterwards"] = is_active(session, metadata, token["access_token"])
        found["asMachine"] = ask_as_machine(metadata)
    print(json.dumps(found), flush=True)


main()
