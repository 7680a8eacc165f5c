"""What tests share: trees laid out from a picture, repositories, adapters that misbehave."""
