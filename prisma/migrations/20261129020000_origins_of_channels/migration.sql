-- Only the origin of a channel's address is shown: of webhooks and topics of ntfy the path may give access, too.
UPDATE notification_channels SET shown_url = substring(shown_url FROM '^[a-z]+://[^/?#]*') WHERE shown_url IS NOT NULL;
