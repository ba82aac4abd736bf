"""A Django site that signs in by social-auth-core, with its own defaults."""

import os
import sys

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.urls import include, path

settings.configure(
    DEBUG=True,
    SECRET_KEY="a text that is long enough for a secret",
    ALLOWED_HOSTS=["localhost"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    LOGIN_REDIRECT_URL="/",
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}
    },
    INSTALLED_APPS=[
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "social_django",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    AUTHENTICATION_BACKENDS=["social_core.backends.open_id_connect.OpenIdConnectAuth"],
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=os.environ["ISSUER"],
    SOCIAL_AUTH_OIDC_KEY=os.environ["CLIENT_ID"],
    SOCIAL_AUTH_OIDC_SECRET=os.environ["CLIENT_SECRET"],
)
django.setup()


def home(request):
    user = request.user
    text = f"{user.email} is {user.username}" if user.is_authenticated else "signed out"
    return HttpResponse(f"<pre>{text}</pre>")


urlpatterns = [path("", home), path("", include("social_django.urls", namespace="social"))]

execute_from_command_line([sys.argv[0], "migrate", "--verbosity=0"])
address = f"localhost:{os.environ['PORT']}"
execute_from_command_line([sys.argv[0], "runserver", "--noreload", address])
