"""Run the service: workers, mail servers, periodic tasks."""
