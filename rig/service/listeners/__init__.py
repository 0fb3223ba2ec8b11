"""Who is told of what happens: webhooks and MQTT brokers, over HTTP; what they are told."""
