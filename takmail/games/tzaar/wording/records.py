"""Word what is wrong with a record."""

from takmail.blocks import Message, message
from takmail.games.tzaar.wording.data import Facts


def reason_of_a_record(name: str, facts: Facts) -> Message | None:
    """Say what is wrong with a record, None if the reason is another one."""
    match name:
        case "start-missing":
            return message("tzaar_start_missing")
        case "record-syntax":
            return message("tzaar_record_syntax", line=facts["line"], text=facts["text"])
        case "record-turn":
            return message("tzaar_record_turn", text=facts["text"])
        case "result-mismatch":
            return message("record_has_other_result", recorded=facts["recorded"], by_rules=facts["by_rules"])
        case "two-results":
            return message("tzaar_two_results", one=facts["one"], other=facts["other"])
        case "turn-after-result":
            return message("tzaar_turn_after_result", result=facts["result"])
        case "ended-mismatch":
            return message("tzaar_ended_mismatch", recorded=facts["recorded"], by_rules=facts["by_rules"])
        case "start-mismatch":
            return message("tzaar_start_mismatch", layout=facts["layout"])
        case "text-too-long":
            return message("tzaar_record_too_long", count=facts["characters"], most=facts["longest"])
    return None
