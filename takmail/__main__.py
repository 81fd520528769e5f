"""`python -m takmail`: the command line, where no script is installed."""

from takmail.cli import main

if __name__ == "__main__":
    main(prog_name="takmail")
